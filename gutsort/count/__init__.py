"""Room 3: which lines are frequent."""
