import type { SecretBox } from '../../../kernel/secret-box.ts'
import type { JsonRow } from './read-lines.ts'

/**
 * The connection of an imported printer, sealed, as PostgreSQL writes bytes: where the printer is, without the credentials that an export
 * does not have. They are entered again on the page of the printer.
 */
export function sealedConnection(secrets: Pick<SecretBox, 'seal'>, row: JsonRow): string {
  const { id, connection_host: host, connection_port: port, connection_serial: serial } = row
  const connection = {
    ...(typeof host === 'string' && { address: addressOf(host, port) }),
    ...(typeof serial === 'string' && { serial }),
  }
  return `\\x${secrets.seal(connection, String(id)).toString('hex')}`
}

function addressOf(host: string, port: unknown): string {
  const name = host.includes(':') ? `[${host}]` : host
  return typeof port === 'number' ? `${name}:${port}` : name
}
