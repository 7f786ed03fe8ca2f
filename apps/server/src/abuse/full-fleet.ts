import type { PrinterId } from '../kernel/ids.ts'
import type { TestApp } from '../test/app/test-app.ts'
import type { TestFarm } from '../test/farm/test-farm.ts'
import type { TestHub } from '../test/farm/test-hub.ts'

/** Printers of a farm that do at once what they are told, as far as its hub can tell. */
interface ObedientFleet {
  printerIds: PrinterId[]
  /** Starts a queued job on its printer, and waits until it is seen there. */
  print(jobId: string, printerId: string): Promise<void>
  /** Ends what a printer prints. */
  end(printerId: string, outcome: 'done' | 'failed'): Promise<void>
}

type Command = ReturnType<TestHub['commands']>[number]

/** What a printer shows after a command, and what a hub reports of the print. */
const effects = {
  print: { status: 'printing', report: { phase: 'confirmed', outcome: null } },
  pause: { status: 'paused' },
  resume: { status: 'printing' },
  stop: { status: 'idle', report: { phase: 'finished', outcome: 'cancelled' } },
} as const

/** Adds printers with these names to the farm, all in one power group, idle and with clear plates. */
export async function addFleet(
  t: TestApp,
  farm: TestFarm,
  names: readonly string[],
  powerGroup: string,
): Promise<ObedientFleet> {
  const printerIds: PrinterId[] = []
  const prints = new Map<string, Command>()

  const show = (printerId: string, status: 'idle' | 'printing' | 'paused', attemptId: string | null) =>
    farm.hub.telemetry(printerId, {
      status,
      progress: attemptId === null ? null : 10,
      run: attemptId === null ? null : { file_name: 'clip.gcode', job_id: 'r1', attempt_id: attemptId },
    })

  farm.hub.onCommand((command) => {
    const { printer_id: printerId, kind } = command
    if (kind === 'print') prints.set(printerId, command)
    const print = prints.get(printerId)
    const effect = kind in effects ? effects[kind as keyof typeof effects] : undefined
    if (!effect || !print) return { ok: true }
    const attemptId = String(print.args.attempt_id)
    if ('report' in effect) {
      const evidence = { kind: 'telemetry' as const, run_id: null, detail: null }
      const about = { attempt_id: attemptId, printer_id: printerId, fence: print.fence }
      const happened_at = new Date().toISOString()
      farm.hub.send('attempt', {
        report: { reason_code: null, evidence, ...effect.report, ...about, happened_at },
      })
    }
    show(printerId, effect.status, effect.status === 'idle' ? null : attemptId)
    return { ok: true }
  })

  const shows = (printerId: string, status: string) =>
    t.settled(() => t.context.printers.find(printerId as PrinterId)?.state.status === status)

  for (const name of names) {
    const added = await farm.account.request('POST', '/printers', {
      name,
      model: 'MK4S',
      hub_id: farm.hubId,
      connection_type: 'virtual',
      power_group: powerGroup,
    })
    const { id } = added.json().data as { id: PrinterId }
    // What a hub says of a printer that it was not told to run counts for nothing.
    await farm.hub.waitFor('configure', ({ printers }) => printers.some(({ printer_id }) => printer_id === id))
    show(id, 'idle', null)
    await shows(id, 'idle')
    await farm.account.request('POST', `/printers/${id}/control`, { action: 'clear_bed' })
    printerIds.push(id)
  }

  return {
    printerIds,
    async print(jobId, printerId) {
      const started = await farm.account.request('POST', `/jobs/${jobId}/start`)
      if (started.statusCode !== 200) throw new Error(started.body)
      await t.settled(async () => (await farm.job(jobId)).status === 'printing')
      await shows(printerId, 'printing')
    },
    async end(printerId, outcome) {
      const print = prints.get(printerId)
      if (!print) throw new Error(`${printerId} prints nothing`)
      await farm.hub.report({
        attempt_id: String(print.args.attempt_id),
        printer_id: printerId,
        fence: print.fence,
        phase: 'finished',
        outcome,
      })
      show(printerId, 'idle', null)
      await shows(printerId, 'idle')
      await t.written()
    },
  }
}
