import type { CommandArguments } from '@printyard/protocol/commands'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { Context } from '../../../context/context.ts'
import { answerOnceOutside } from '../../../http/idempotency.ts'
import {
  request as body,
  envelope,
  failures,
  idParams,
  nullable,
  ok,
  oneOf,
  postFailures,
  publishedAs,
  resource,
} from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import type { PrinterId } from '../../../kernel/ids.ts'
import { printerStatuses } from '../effective-status.ts'
import { commandDevice, type DeviceCommandKind } from './device-commands.service.ts'
import { PendingCommand } from './pending-command.ts'

const target = (part: string, most: number) =>
  Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: most,
      description: `Target of the ${part} in °C; 0 switches it off. Limited to the highest temperature of the printer's model`,
      examples: [0],
    }),
  )

const HeatersBody = body(
  { nozzle: target('nozzle', 500), bed: target('bed', 200), chamber: target('chamber', 100) },
  { minProperties: 1 },
)
const LightBody = body({
  state: Type.Unsafe<boolean | 'on' | 'off'>({
    type: ['boolean', 'string'],
    enum: [true, false, 'on', 'off'],
    description: 'State of the light: true for on. Also accepted: the texts on and off',
    [publishedAs]: { type: 'boolean' },
    examples: [true],
  }),
})
const FilamentBody = body({
  slot: Type.Optional(
    nullable(
      Type.Integer({ minimum: 0, maximum: 255, description: 'Slot of a changer, from 0; null for the only one' }),
    ),
  ),
  temperature: Type.Optional(
    nullable(
      Type.Number({
        minimum: 0,
        maximum: 500,
        description: 'Nozzle temperature for it in °C; null leaves it to the printer',
      }),
    ),
  ),
})

const DeviceCommand = resource('DeviceCommand', 'Outcome of a command to the machine itself', {
  printer_id: Type.String({ description: 'ID of the printer' }),
  kind: oneOf(['heaters', 'light', 'load_filament', 'unload_filament'], { description: 'Command that was requested' }),
  status: oneOf(printerStatuses, { description: 'Current status of the printer' }),
  command_id: Type.String({ description: 'Command that was sent to the printer' }),
  pending: PendingCommand,
})

const LightCommand = resource('LightCommand', 'Outcome of switching the light', {
  ...DeviceCommand.properties,
  state: Type.Boolean({ description: 'Whether the light is on' }),
})

const describedByAll =
  'Answered when the printer shows the effect. A printer that has no part for it answers COMMAND_NOT_SUPPORTED.'

export function deviceCommandRoutes(app: App, context: Context): void {
  const response = {
    200: envelope(DeviceCommand),
    ...failures(
      ...postFailures,
      'NOT_FOUND',
      'INVALID_STATE',
      'NO_HUB_ASSIGNED',
      'HUB_OFFLINE',
      'COMMAND_NOT_SUPPORTED',
      'HUB_COMMAND_FAILED',
    ),
  }
  const command = <K extends DeviceCommandKind>(
    request: FastifyRequest,
    reply: FastifyReply,
    printerId: PrinterId,
    kind: K,
    args: CommandArguments<K>,
    shown: object = {},
  ) =>
    answerOnceOutside(context, request, reply, 200, async () =>
      ok({ ...(await commandDevice(context, request.actor, printerId, kind, args)), ...shown }),
    )

  app.post(
    '/printers/:id/heaters',
    {
      config: { scope: 'control' },
      schema: {
        tags: ['Printers'],
        summary: 'Heat the nozzle, the bed or the chamber, or let them cool',
        description: `${describedByAll} Heaters stay as they are set until they are changed.`,
        params: idParams('printer'),
        body: HeatersBody,
        response,
      },
    },
    (request, reply) => command(request, reply, request.params.id, 'heaters', request.body),
  )

  app.post(
    '/printers/:id/light',
    {
      config: { scope: 'control' },
      schema: {
        tags: ['Printers'],
        summary: "Switch a printer's light",
        description: describedByAll,
        params: idParams('printer'),
        body: LightBody,
        response: { ...response, 200: envelope(LightCommand) },
      },
    },
    async (request, reply) => {
      const on = request.body.state === true || request.body.state === 'on'
      return command(request, reply, request.params.id, 'light', { on }, { state: on })
    },
  )

  for (const [path, kind, verb] of [
    ['load', 'load_filament', 'Load'],
    ['unload', 'unload_filament', 'Unload'],
  ] as const) {
    app.post(
      `/printers/:id/filament/${path}`,
      {
        // Everything in the body is optional, and so is the body.
        preValidation: async (request) => {
          request.body ??= {}
        },
        config: { scope: 'control' },
        schema: {
          tags: ['Printers'],
          summary: `${verb} filament`,
          description: `${describedByAll} Possible while the printer is idle or paused.`,
          params: idParams('printer'),
          body: FilamentBody,
          response,
        },
      },
      (request, reply) =>
        command(request, reply, request.params.id, kind, {
          slot: request.body.slot ?? null,
          temperature: request.body.temperature ?? null,
        }),
    )
  }
}
