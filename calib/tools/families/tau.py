"""The shops, airlines and telephone companies of tau-bench and tau2-bench, where no verb says it.

Source: the tool files of the domains. What the customer is told or handed over to is no reading.
"""

from calib.tools._family import Family

FAMILY = Family(
    reads="list_all_airports, list_all_product_types, check_*, can_send_mms, run_speed_test",
    writes="""
    book_reservation, cancel_*, exchange_*, return_*, modify_*, refuel_data, resume_line, suspend_line, toggle_*,
    reseat_sim_card, reset_apn_settings, reboot_device, make_payment, grant_app_permission, send_certificate,
    send_payment_request, enable_roaming, disable_roaming, connect_vpn, disconnect_vpn
    """,
    other="transfer_to_human_agents",
)
