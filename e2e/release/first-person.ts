import { setTimeout as wait } from 'node:timers/promises'

/** Sends a request as a page of the dashboard does, and gives what stands in `data` of its answer. */
type AskAsPerson = <T>(method: string, path: string, body?: unknown) => Promise<T>

/**
 * Sets a service up as the first page does, by the address that its first start writes beside the line that it is ready.
 *
 * @returns what asks in the name of the owner who is signed in then
 */
export async function setUpByAddress(service: { log(): string }): Promise<AskAsPerson> {
  const address = await readAddress(service)
  const { origin, searchParams } = new URL(address)
  const page = await fetch(address)
  if (page.status !== 200) throw new Error(`${address} answers ${page.status}`)
  const cookies = new Map<string, string>()
  const ask: AskAsPerson = async (method, path, body) => {
    const answer = await fetch(`${origin}/app/v1${path}`, {
      method,
      headers: {
        origin,
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      cookies.set(name, value)
    }
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path} answers ${answer.status}: ${text}`)
    return JSON.parse(text).data
  }
  await ask('POST', '/setup', {
    account_name: 'Farm',
    name: 'Owner',
    email: 'owner@example.com',
    password: 'a farm of twelve printers',
    code: searchParams.get('setup'),
  })
  return ask
}

async function readAddress(service: { log(): string }): Promise<string> {
  for (const deadline = Date.now() + 10_000; Date.now() < deadline; await wait(20)) {
    const [, address] = /Open (\S+\?setup=\S+) to do so/.exec(service.log()) ?? []
    if (address !== undefined) return address
  }
  throw new Error(`no address to set it up in:\n${service.log()}`)
}
