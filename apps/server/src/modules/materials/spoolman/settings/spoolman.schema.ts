import Type, { type Static } from 'typebox'
import { nullable, oneOf, request, resource, timestamp } from '../../../../http/schema.ts'
import type { ConnectionRow, SpoolCounts, TroubledUsage } from './spoolman.queries.ts'

const leaders = ['spoolman', 'printyard'] as const

const fields = {
  url: Type.String({
    minLength: 1,
    maxLength: 500,
    description:
      'Address of Spoolman, without /api/v1; one in a local network needs the operator to allow that network',
    examples: ['http://192.168.1.20:7912'],
  }),
  leader: oneOf(leaders, {
    description:
      'System whose quantities count where both differ. `spoolman`: its remaining quantities are taken over, and usage is added there. `printyard`: remaining quantities are reported to Spoolman',
  }),
  sends_usage: Type.Boolean({
    description:
      'Whether the usage of prints is reported to Spoolman, where it leads. False where Moonraker or OctoPrint report it already: else it would be counted twice',
  }),
}

export const NewSpoolmanBody = request({
  url: fields.url,
  leader: Type.Optional(fields.leader),
  sends_usage: Type.Optional(fields.sends_usage),
})
export type NewSpoolman = Static<typeof NewSpoolmanBody>

export const SpoolmanChangesBody = request(
  {
    url: Type.Optional(fields.url),
    leader: Type.Optional(fields.leader),
    sends_usage: Type.Optional(fields.sends_usage),
    is_active: Type.Optional(Type.Boolean({ description: 'False pauses it; true resumes it, where it was left' })),
  },
  { minProperties: 1 },
)
export type SpoolmanChanges = Static<typeof SpoolmanChangesBody>

export const SpoolmanTestBody = request({ url: fields.url })

export const SpoolmanTest = resource('SpoolmanTest', 'Whether a Spoolman answers', {
  ok: Type.Boolean({ description: 'Whether the server answers as Spoolman does' }),
  version: nullable(Type.String({ description: 'Its version; null when it does not answer', examples: ['0.26.1'] })),
  problem: nullable(
    Type.String({ description: 'Error of the call; null when it answers', examples: ['404 Not Found'] }),
  ),
})

export const SpoolmanConnection = resource('SpoolmanConnection', 'The Spoolman that spools are kept in as well', {
  ...fields,
  status: oneOf(['active', 'failing', 'paused'] as const, {
    description: '`failing`: the last calls came to nothing. `paused`: it is neither read nor told anything',
  }),
  last_read_at: nullable(timestamp('Time at which its spools were last read to the end; null before the first time')),
  failing_since: nullable(timestamp('Since when calls come to nothing; null when the last one did not')),
  problem: nullable(
    Type.String({
      description: 'Error of the last call; null when it succeeded',
      examples: ['connect timed out'],
    }),
  ),
  retry_at: nullable(timestamp('Nothing is asked of it before; null: no such time')),
  paused_at: nullable(timestamp('Time at which it was paused; null unless it is paused')),
  spools: Type.Integer({ description: 'Spools that are kept in both' }),
  unweighed_spools: Type.Integer({ description: 'Spools without a weight there, which are not taken over' }),
  gone_spools: Type.Integer({ description: 'Spools of here that Spoolman has no more' }),
  waiting_usages: Type.Integer({ description: 'Usage that is not sent to it yet' }),
  created_at: timestamp('Time at which it was connected'),
  updated_at: timestamp('Time at which its settings last changed'),
})

/** What stands in the place of a connection where there is none. */
export const SpoolmanState = resource('SpoolmanState', 'The connection to Spoolman, if there is one', {
  connection: nullable(SpoolmanConnection),
})

export const RemovedSpoolman = resource('RemovedSpoolman', 'A Spoolman that was disconnected', {
  disconnected: Type.Boolean({ description: 'Always true' }),
})

export const SpoolmanAsked = resource('SpoolmanAsked', 'Request to read Spoolman', {
  asked: Type.Boolean({ description: 'Always true' }),
})

export const SettledUsage = resource('SettledUsage', 'Usage that was decided on', {
  id: Type.String({ description: 'ID of the usage', examples: ['smu_01kaxq3v7m2e8h5t9w4c6y0b1d'] }),
  is_told_again: Type.Boolean({ description: 'Whether the usage is sent to Spoolman again' }),
})

export const SettleUsageBody = request({
  is_told_again: Type.Boolean({
    description: 'True: Spoolman does not have it, and is told once more. False: it counts as told',
  }),
})

export const TroubledUsages = Type.Array(
  resource('SpoolmanUsage', 'Usage that a person has to decide on', {
    id: Type.String({ description: 'ID of the usage', examples: ['smu_01kaxq3v7m2e8h5t9w4c6y0b1d'] }),
    spool_id: Type.Integer({ description: 'Number of the spool in Spoolman', examples: [7] }),
    material_id: nullable(
      Type.String({
        description: 'ID of the spool here; null when it was deleted',
        examples: ['mat_01kaxq3v7m2e8h5t9w4c6y0b1d'],
      }),
    ),
    grams: Type.Number({ description: 'Filament that was used, in g', examples: [12.5] }),
    state: oneOf(['unclear', 'refused'] as const, {
      description:
        '`unclear`: the answer was lost, and something else changed the spool meanwhile. `refused`: Spoolman does not take it',
    }),
    problem: nullable(
      Type.String({ description: 'Known cause of the problem', examples: ['No spool with ID 7 found.'] }),
    ),
    created_at: timestamp('Time of the usage'),
  }),
)

export function presentConnection(row: ConnectionRow, counts: SpoolCounts): Static<typeof SpoolmanConnection> {
  const { url, leader, sends_usage, problem } = row
  const at = (date: Date | null) => date?.toISOString() ?? null
  return {
    ...{ url, leader, sends_usage, problem },
    status: row.paused_at !== null ? 'paused' : row.failures > 0 ? 'failing' : 'active',
    last_read_at: at(row.last_read_at),
    failing_since: at(row.failing_since),
    retry_at: at(row.retry_at),
    paused_at: at(row.paused_at),
    spools: counts.linked,
    unweighed_spools: counts.unweighed,
    gone_spools: counts.gone,
    waiting_usages: counts.waiting_usages,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

export function presentTroubled(rows: readonly TroubledUsage[]): Static<typeof TroubledUsages> {
  return rows.map(({ milligrams, created_at, state, ...row }) => ({
    ...row,
    state: state === 'refused' ? state : 'unclear',
    grams: milligrams / 1_000,
    created_at: created_at.toISOString(),
  }))
}
