from doomloop import Guard
from openai import OpenAI

client = OpenAI()


# #region ask
def ask(system: str, message: str) -> str:
    messages = [{"role": "system", "content": system}, {"role": "user", "content": message}]
    return client.chat.completions.create(model="gpt-5-mini", messages=messages).choices[0].message.content


guard = Guard(ask=ask)
# #endregion ask
