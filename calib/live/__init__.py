"""What calib found, at work: a monitor of running episodes, a filter for requests, a proxy before a server.

Nothing here needs polars or numpy; the proxy needs the extra `live`.
"""

from calib.live._seen import Called
from calib.live.filter import Filter
from calib.live.listener import Listener, NotUnderstood
from calib.live.monitor import Fire, Monitor

__all__ = ["Called", "Filter", "Fire", "Listener", "Monitor", "NotUnderstood"]
