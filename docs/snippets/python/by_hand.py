from doomloop import Guard


def search(q: str) -> str:
    return f"two pages about {q}"


def calls_of_your_model():
    yield "call-1", {"q": "login"}


messages = []
with Guard() as guard:
    # #region loop
    for id, args in calls_of_your_model():
        before = guard.call("search", args, id=id)
        if before.refused:
            content = before.message
        else:
            output = search(**args)
            content = guard.result(output, id=id).append_to(output)
        messages.append({"role": "tool", "tool_call_id": id, "content": content})
        if guard.stopped:
            break
    # #endregion loop
