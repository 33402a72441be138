"""stub"""
def actions_of(tool, arguments):
    return (tool or "",)
