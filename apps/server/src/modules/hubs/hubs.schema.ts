import type { PrinterStatus } from '@printyard/protocol/printer-state'
import Type, { type Static } from 'typebox'
import { nullable, oneOf, request, resource, text, timestamp, wholeQuery } from '../../http/schema.ts'
import { Health, presentHealth } from '../health/health.schema.ts'
import { connectionTypes } from '../printers/connection/connection-settings.ts'
import { printerStatuses } from '../printers/effective-status.ts'
import type { AttachedPrinter } from '../printers/printers.queries.ts'
import type { FoundPrinter } from './discovered.ts'
import type { HubPresence } from './hub-presence.ts'
import type { HubRow } from './hubs.queries.ts'

export const HubBody = request({ name: text(1, 120, 'Name, unique in the account') })

export const HubPageQuery = request(wholeQuery)

export const JoinBody = request({
  code: text(1, 64, 'The join code; case, spaces and hyphens do not matter'),
  public_key: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9_-]{43}$',
      description: 'Public key of the hub (X25519, base64url): credentials of printers are sealed for it',
    }),
  ),
})

const AttachedPrinterAnswer = resource('AttachedPrinterAnswer', 'A printer as its hub shows it', {
  id: Type.String({ description: 'ID of the printer' }),
  name: Type.String({ description: 'Name of the printer' }),
  model: Type.String({ description: 'Model of the printer' }),
  status: oneOf(printerStatuses, { description: 'Current status of the printer' }),
})

const hubFields = {
  id: Type.String({ description: 'ID of the hub' }),
  name: Type.String({ description: 'Name, unique in the account' }),
  firmware_version: Type.String({ description: 'Version of the hub software; empty before its first connection' }),
  hardware_version: Type.String({ description: 'Machine that it runs on; empty before its first connection' }),
  is_online: Type.Boolean({ description: 'Whether it is connected now' }),
  last_seen_at: nullable(timestamp('Time at which it was last heard; null before its first connection')),
  printer_count: Type.Integer({ description: 'Printers attached to it' }),
  claimed_at: nullable(timestamp('Time at which a hub last took its token; null before the first')),
  created_at: timestamp('Time of creation'),
  updated_at: timestamp('Time at which its record last changed'),
  is_stale: Type.Boolean({ description: 'Whether no heartbeat came for more than two minutes' }),
  printers: Type.Array(AttachedPrinterAnswer, { description: 'Printers attached to it, by name' }),
}

export const Hub = resource('Hub', 'A hub and the printers attached to it', hubFields)

export const ListedHub = resource('ListedHub', 'A hub in a list, with its problems', {
  ...hubFields,
  health: Health,
})

const caFingerprint = nullable(
  Type.String({
    description:
      'SHA-256 of the authority that the hub has to be told of (`--ca-fingerprint`), where the service has a certificate of a local one; else null',
    examples: ['5c9d3f0e8b7a6c1d2e4f5a6b7c8d9e0f1a2b3c4d5e6f708192a3b4c5d6e7f809'],
  }),
)

export const NewHub = resource('NewHub', 'A new hub with its first join code', {
  ...hubFields,
  join_code: Type.String({
    description: 'Code by which a machine joins as this hub. Shown this once',
    examples: ['K7QM2XWD'],
  }),
  join_code_expires_at: timestamp('Expiry of the join code, which works once'),
  ca_fingerprint: caFingerprint,
})

export const NewJoinCode = resource('NewJoinCode', 'A new join code; the one before is void', {
  hub_id: Type.String({ description: 'ID of the hub' }),
  join_code: Type.String({
    description: 'Code by which a machine joins as this hub. Shown this once',
    examples: ['K7QM2XWD'],
  }),
  join_code_expires_at: timestamp('Expiry of the join code, which works once'),
  ca_fingerprint: caFingerprint,
})

export const DeletedHub = resource('DeletedHub', 'The hub that is gone', {
  id: Type.String({ description: 'ID of the hub that was deleted' }),
  deleted: Type.Boolean({ description: 'Always true' }),
})

export const JoinedHub = resource('JoinedHub', 'Credentials with which a machine connects as the hub', {
  hub_id: Type.String({ description: 'ID of the hub' }),
  name: Type.String({ description: 'Name of the hub' }),
  token: Type.String({ description: 'Token with which the hub connects from now on. Shown this once' }),
})

export const DiscoveryStarted = resource('DiscoveryStarted', 'The search that a hub was asked to begin', {
  hub_id: Type.String({ description: 'ID of the hub that looks around' }),
  started_at: timestamp('Time of the request'),
})

/** May be left out as a whole: then everybody is asked. */
export const DiscoverBody = nullable(
  request({
    address: Type.Optional(
      text(1, 255, 'An address to look at as well, in the local network of the hub: a host, with a port or without'),
    ),
  }),
)

export const DiscoveredPrinter = resource('DiscoveredPrinter', 'A printer that a hub found on its network', {
  id: Type.String({
    description: 'Tells it from the others that were found, and stays the same while its identity does',
    examples: ['pX3v0sNDb8H1m2C5yQ7tRkWzEaUfLg9J'],
  }),
  connection_type: oneOf(connectionTypes, { description: 'Connection type by which a hub would reach it' }),
  name: Type.String({ description: 'Name that it gives itself' }),
  model: nullable(Type.String({ description: 'Model, as far as it says' })),
  address: nullable(Type.String({ description: 'Address on the network of the hub' })),
  serial: nullable(Type.String({ description: 'Serial number, as far as it says' })),
  port: nullable(Type.Integer({ description: 'Port, where it is not the one that such printers have by themselves' })),
  evidence: Type.Array(Type.String({ description: 'A sentence that says how it was found' }), {
    description: 'All that speaks for it, the newest last',
  }),
  first_seen_at: timestamp('Time at which the hub first saw it'),
  last_seen_at: timestamp(
    'Time at which the hub last saw it; printers that it has not seen for half an hour are not listed',
  ),
  adopted_printer_id: nullable(
    Type.String({ description: 'The printer of the account that it is: by serial number, else by address' }),
  ),
})

export type PrinterOnHub = AttachedPrinter & { status: PrinterStatus }

export function presentHub(hub: HubRow, presence: HubPresence, printers: PrinterOnHub[]): Static<typeof Hub> {
  return {
    id: hub.id,
    name: hub.name,
    firmware_version: hub.firmware_version,
    hardware_version: hub.hardware_version,
    is_online: presence.is_online,
    last_seen_at: presence.last_seen_at?.toISOString() ?? null,
    printer_count: printers.length,
    claimed_at: hub.claimed_at?.toISOString() ?? null,
    created_at: hub.created_at.toISOString(),
    updated_at: hub.updated_at.toISOString(),
    is_stale: presence.is_stale,
    printers: printers.map(({ id, name, model, status }) => ({ id, name, model, status })),
  }
}

export function presentListedHub(hub: HubRow, shown: Static<typeof Hub>): Static<typeof ListedHub> {
  return { ...shown, health: presentHealth(hub.health) }
}

export function presentFound({
  id,
  candidate,
  since,
  adopted_printer_id,
}: FoundPrinter): Static<typeof DiscoveredPrinter> {
  const { connection_type, name, model, address, port = null, serial, evidence, all_evidence } = candidate
  return {
    id,
    connection_type,
    name,
    model,
    address,
    serial,
    port,
    evidence: all_evidence ?? [evidence],
    first_seen_at: timeOr(candidate.first_seen_at, since),
    last_seen_at: timeOr(candidate.last_seen_at, since),
    adopted_printer_id,
  }
}

/** A hub writes its times as it likes. */
function timeOr(text: string | undefined, fallback: Date): string {
  const ms = text === undefined ? Number.NaN : Date.parse(text)
  return (Number.isNaN(ms) ? fallback : new Date(ms)).toISOString()
}
