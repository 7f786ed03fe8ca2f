import { readFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import type { ClientConfig } from 'pg'
import { isLoopbackName } from '../../kernel/loopback.ts'

/** A Unix socket of this machine, or the address of a server (`postgres://…`). */
export type DatabaseTarget = { socketPath: string; database: string; user: string } | { url: string }

/** One way to a server: its socket where it has one, and what the client library is told. */
export interface ServerAddress {
  socketPath: string | undefined
  config: ClientConfig
}

/** The ways to a target, in the order in which they are tried. */
export function addressesOf(target: DatabaseTarget): ServerAddress[] {
  if ('url' in target) return readUrl(new URL(target.url))
  const { socketPath, database, user } = target
  return [{ socketPath, config: { host: 'localhost', port: 5432, database, user, ssl: false } }]
}

/** True when a connection to this address may cross a network that can read it: to another machine, and not always by TLS. */
export function mayGoUnencrypted(url: string): boolean {
  return addressesOf({ url }).some(
    ({ socketPath, config }) => socketPath === undefined && config.ssl === false && !isLoopbackName(config.host ?? ''),
  )
}

/** Parameters of an address that are no settings of a session. */
const ownParameters = new Set(['host', 'sslmode', 'ssl', 'sslrootcert', 'sslnegotiation', 'connect_timeout', 'options'])

function readUrl(url: URL): ServerAddress[] {
  const parameters = url.searchParams
  const port = Number(url.port || process.env.PGPORT || 5432)
  const user = decodeURIComponent(url.username) || process.env.PGUSER || userInfo().username
  const settings = [...parameters].filter(([name]) => !ownParameters.has(name))
  const config: ClientConfig = {
    port,
    user,
    database: decodeURIComponent(url.pathname.slice(1)) || process.env.PGDATABASE || user,
    options: [parameters.get('options') ?? '', ...settings.map(([name, value]) => settingOption(name, value))].join(
      ' ',
    ),
    ...(url.password === '' ? {} : { password: decodeURIComponent(url.password) }),
    ...(parameters.get('sslnegotiation') === 'direct' ? { sslnegotiation: 'direct' } : {}),
  }
  // The usual way to write a socket in an address: `postgresql://user@localhost/name?host=/run/x`.
  const directory = parameters.get('host')
  if (directory?.startsWith('/')) {
    return [{ socketPath: `${directory}/.s.PGSQL.${port}`, config: { ...config, host: 'localhost', ssl: false } }]
  }
  const hosts = decodeURIComponent(url.hostname) || process.env.PGHOST || 'localhost'
  return hosts.split(',').flatMap((name) => {
    const host = name.replace(/^\[(.+)\]$/, '$1')
    return tlsChoices(parameters).map((ssl) => ({ socketPath: undefined, config: { ...config, host, ssl } }))
  })
}

/** A setting in the startup option that psql writes as `-c name=value`. */
export function settingOption(name: string, value: string): string {
  return `-c ${name}=${value.replace(/[\\ ]/g, '\\$&')}`
}

/**
 * TLS as libpq understands `sslmode`, https://www.postgresql.org/docs/18/libpq-ssl.html: `require` asks for TLS and trusts any
 * certificate, `prefer` does without where the server has none.
 */
function tlsChoices(parameters: URLSearchParams): NonNullable<ClientConfig['ssl']>[] {
  const certificate = parameters.get('sslrootcert')
  const trust =
    certificate === null || certificate === 'system' ? {} : { ca: readFileSync(certificate, { encoding: 'utf8' }) }
  const mode = parameters.get('sslmode') ?? parameters.get('ssl') ?? (certificate === null ? 'disable' : 'verify-full')
  const unchecked = { rejectUnauthorized: false }
  switch (mode) {
    case 'disable':
    case 'false':
      return [false]
    case 'allow':
    case 'require':
      return [certificate === null ? unchecked : { ...trust, checkServerIdentity: () => undefined }]
    case 'prefer':
      return [unchecked, false]
    case 'verify-ca':
      return [{ ...trust, checkServerIdentity: () => undefined }]
    default:
      return [trust]
  }
}
