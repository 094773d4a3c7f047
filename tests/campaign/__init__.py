"""The fault campaign: Roost and its agents are killed, and nothing is lost or done twice."""
