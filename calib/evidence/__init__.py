"""How far the numbers of a sweep can be trusted, from what the detectors saw: no rescoring, no text."""
