import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { Context } from '../../../context/context.ts'
import { answerOnceOutside } from '../../../http/idempotency.ts'
import { answer, failures, idParams, ok, postFailures, success } from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import type { Actor } from '../../../kernel/actor.ts'
import type { ErrorCode } from '../../../kernel/errors.ts'
import type { JobId } from '../../../kernel/ids.ts'
import { PendingCommand } from '../../printers/control/pending-command.ts'
import type { JobDetailRow } from '../jobs.queries.ts'
import { JobDetail, StartBody, StopBody } from '../jobs.schema.ts'
import { cancelJob } from '../life/cancel-job.ts'
import { type CommandedRow, pauseJob, resumeJob, type StopWords, stopJob } from '../life/running-job.ts'
import { startJob } from '../life/start-job.ts'
import { presentNow, tags } from './job-answers.ts'

const commandFailures: ErrorCode[] = [
  ...postFailures,
  'NOT_FOUND',
  'JOB_STATE_CHANGED',
  'NO_PRINTER_ASSIGNED',
  'NO_HUB_ASSIGNED',
  'HUB_OFFLINE',
  'COMMAND_NOT_SUPPORTED',
  'HUB_COMMAND_FAILED',
]

/** The answer to a command on a job. */
const commandedJob = {
  success,
  data: JobDetail,
  pending: PendingCommand,
}

/** Sends commands on jobs to printers. */
export function runJobRoutes(app: App, context: Context): void {
  const present = (job: JobDetailRow) => presentNow(context, job)

  const presentCommanded = (job: CommandedRow) => ({
    ...ok(present(job)),
    ...(job.pending !== undefined && { pending: job.pending }),
  })

  /** One physical command on a job: answered when the printer has shown its effect, or not at all. */
  function command(
    name: string,
    summary: string,
    run: (context: Context, actor: Actor, jobId: JobId) => Promise<CommandedRow>,
    codes: ErrorCode[] = [],
    description?: string,
  ): void {
    app.post(
      `/jobs/:id/${name}`,
      {
        config: { scope: 'control' },
        schema: {
          tags,
          summary,
          ...(description !== undefined && { description }),
          params: idParams('job'),
          response: {
            200: answer(commandedJob, { description: 'The job after the command' }),
            ...failures(...commandFailures, ...codes),
          },
        },
      },
      (request, reply) =>
        answerOnceOutside(context, request, reply, 200, async () =>
          presentCommanded(await run(context, request.actor, request.params.id)),
        ),
    )
  }

  app.post(
    '/jobs/:id/start',
    {
      config: { scope: 'control' },
      schema: {
        tags,
        summary: 'Send the next plate of a queued job to its printer',
        description:
          'The rules that bind anybody must hold, as `GET /jobs/{id}/explain` tells them. Where the loaded filament, the nozzle or the build plate is known to differ from the one that the job needs, the answer is `JOB_DOES_NOT_FIT`: send `set_aside` to print there anyway.',
        params: idParams('job'),
        body: StartBody,
        response: {
          200: answer(commandedJob, { description: 'The job after the command' }),
          ...failures(...commandFailures, 'PRINTER_UNAVAILABLE', 'PRINTER_MODEL_MISMATCH', 'JOB_DOES_NOT_FIT'),
        },
      },
    },
    (request, reply) =>
      answerOnceOutside(context, request, reply, 200, async () => {
        const setAside = request.body.set_aside
        return presentCommanded(await startJob(context, request.actor, request.params.id, { setAside }))
      }),
  )

  command(
    'pause',
    'Pause a printing job',
    async (...args) => (await pauseJob(...args)).job,
    [],
    'Waits until the printer shows that it has paused. When the command fails, the job is printing as before.',
  )

  /** A command that a person who looked can also carry out alone; its body may be left out. */
  function ending(
    name: 'stop' | 'cancel',
    summary: string,
    description: string,
    run: (
      context: Context,
      actor: Actor,
      jobId: JobId,
      words: StopWords & { onlyQueued: boolean },
    ) => Promise<CommandedRow>,
  ): void {
    app.post(
      `/jobs/:id/${name}`,
      {
        config: { scope: 'control' },
        schema: {
          tags,
          summary,
          description,
          params: idParams('job'),
          body: StopBody,
          response: {
            200: answer(commandedJob, { description: 'The job after the command' }),
            ...failures(...commandFailures, 'PRINTER_OUT_OF_REACH'),
          },
        },
      },
      (request, reply) =>
        answerOnceOutside(context, request, reply, 200, async () => {
          const { seen_over, only_queued, failure_type } = request.body
          const words = {
            seenOver: seen_over === true,
            onlyQueued: only_queued === true,
            failureType: failure_type ?? null,
          }
          return presentCommanded(await run(context, request.actor, request.params.id, words))
        }),
    )
  }

  ending(
    'stop',
    'Stop a job that a printer works on',
    'A printer that does not answer its hub cannot be stopped: go and look, then send `seen_over`. Its plate is occupied then.',
    async (...args) => (await stopJob(...args)).job,
  )

  ending(
    'cancel',
    'Cancel a queued job, or stop a running one',
    'A job whose hub is away while it is on its way to the printer answers `processing`: the cancellation is kept and is sent to the hub first when it returns. A job that answers `cancelled` never starts again. For a printer that does not answer see `stop`.',
    cancelJob,
  )

  app.post(
    '/jobs/:id/resume',
    {
      config: { scope: 'control' },
      schema: {
        tags,
        summary: 'Resume a paused job',
        description:
          'Waits until the printer shows that it prints again. When the command fails, the job is paused as before.',
        params: idParams('job'),
        response: {
          200: answer(
            {
              ...commandedJob,
              queued: Type.Unsafe<true>({
                type: 'boolean',
                enum: [true],
                description: 'The command went to the printer',
              }),
            },
            { description: 'The resumed job' },
          ),
          ...failures(...commandFailures),
        },
      },
    },
    (request: FastifyRequest<{ Params: { id: JobId } }>, reply: FastifyReply) =>
      answerOnceOutside(context, request, reply, 200, async () => ({
        ...presentCommanded((await resumeJob(context, request.actor, request.params.id)).job),
        queued: true as const,
      })),
  )
}
