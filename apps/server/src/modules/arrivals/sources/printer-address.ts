/** A printer as a farm manager keeps it: an address and what opens it. */
interface KnownPrinter {
  url: string
  apiKey: string
  username: string
  password: string
}

type Family = 'octoprint' | 'moonraker' | 'prusalink' | 'bambu'

/** The connection as our hub takes it. */
export function connectionOf(
  family: Family,
  { url, apiKey, username, password }: KnownPrinter,
): Record<string, string> {
  const filled = (fields: Record<string, string>) =>
    Object.fromEntries(Object.entries(fields).filter(([, text]) => text !== ''))
  const address = url.trim().replace(/\/+$/, '')
  switch (family) {
    case 'bambu':
      // FDM Monster keeps the serial as the user's name, and the access code as the password.
      return filled({ address: hostOf(address), serial: username.toUpperCase(), access_code: password })
    case 'prusalink':
      return filled({ address, username, password, api_key: apiKey })
    case 'octoprint':
    case 'moonraker':
      return filled({ address, api_key: apiKey })
  }
}

function hostOf(address: string): string {
  return URL.parse(/^[a-z]+:\/\//i.test(address) ? address : `http://${address}`)?.hostname ?? address
}
