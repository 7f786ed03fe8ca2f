import Type, { type Static } from 'typebox'
import { nullable, oneOf, request, resource, timestamp } from '../../../http/schema.ts'
import type { PlugRow } from './plugs.queries.ts'

const exampleId = 'plg_01kaxq3v7m2e8h5t9w4c6y0b1d'
const topic = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: 200, description, examples: [example] })
const payload = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: 200, description, examples: [example] })

const fields = {
  command_topic: topic('Topic of commands to the plug', 'cmnd/plug_1/POWER'),
  payload_on: payload('Payload that switches it on', 'ON'),
  payload_off: payload('Payload that switches it off', 'OFF'),
  state_topic: topic('Topic on which the plug reports whether it is on', 'stat/plug_1/POWER'),
  off_after_minutes: nullable(
    Type.Integer({
      minimum: 1,
      maximum: 1440,
      description: 'After so many minutes of doing nothing the printer is switched off; null: never by itself',
      examples: [30],
    }),
  ),
  switches_on: Type.Boolean({
    description: 'Whether the printer is switched on when a job waits for it',
  }),
}

export const NewPlugBody = request({
  printer_id: Type.String({ minLength: 1, maxLength: 64, description: 'The printer that gets its power from it' }),
  command_topic: fields.command_topic,
  state_topic: fields.state_topic,
  payload_on: Type.Optional(fields.payload_on),
  payload_off: Type.Optional(fields.payload_off),
  off_after_minutes: Type.Optional(fields.off_after_minutes),
  switches_on: Type.Optional(fields.switches_on),
})
export type NewPlug = Static<typeof NewPlugBody>

export const PlugChangesBody = request(
  {
    command_topic: Type.Optional(fields.command_topic),
    state_topic: Type.Optional(fields.state_topic),
    payload_on: Type.Optional(fields.payload_on),
    payload_off: Type.Optional(fields.payload_off),
    off_after_minutes: Type.Optional(fields.off_after_minutes),
    switches_on: Type.Optional(fields.switches_on),
  },
  { minProperties: 1 },
)
export type PlugChanges = Static<typeof PlugChangesBody>

export const SwitchBody = request({ on: Type.Boolean({ description: 'Power: true switches it on' }) })

export const SmartPlug = resource('SmartPlug', 'A switchable socket that a printer gets its power from', {
  id: Type.String({ description: 'ID of the plug', examples: [exampleId] }),
  printer_id: Type.String({ description: 'The printer that gets its power from it' }),
  printer_name: Type.String({ description: 'Name of that printer', examples: ['Printer 1'] }),
  ...fields,
  state: nullable(
    oneOf(['on', 'off'] as const, { description: 'State that the plug last reported; null before its first report' }),
  ),
  state_at: nullable(timestamp('Time since which it reports this state')),
})

export const SmartPlugs = resource('SmartPlugs', 'The smart plugs of an account', {
  plugs: Type.Array(SmartPlug, { description: 'Smart plugs, by the names of their printers' }),
})

export const SwitchedPlug = resource('SwitchedSmartPlug', 'A plug that was told to switch', {
  id: Type.String({ description: 'ID of the plug', examples: [exampleId] }),
  on: Type.Boolean({ description: 'Command: true for on' }),
})

export const RemovedPlug = resource('RemovedSmartPlug', 'A plug that is not switched any more', {
  id: Type.String({ description: 'ID of the plug', examples: [exampleId] }),
  deleted: Type.Boolean({ description: 'Always true' }),
})

export function presentPlug(row: PlugRow): Static<typeof SmartPlug> {
  const { hub_id: _, created_at: __, updated_at: ___, ...shown } = row
  return { ...shown, state_at: row.state_at?.toISOString() ?? null }
}
