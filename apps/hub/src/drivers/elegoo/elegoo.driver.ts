import type { CommandKind } from '@printyard/protocol/command-kinds'
import type { PrinterSettings } from '@printyard/protocol/messages'
import { createStateFeed } from '../connection/state-feed.ts'
import { type DriverContext, DriverError, type PrinterDriver } from '../driver.ts'
import { createUnseenStart } from '../print/unseen-start.ts'
import { printerAddress, typedPort } from '../wire/printer-http.ts'
import { openCc2Session } from './cc2-session.ts'
import { type ElegooProtocol, findProtocol, SDCP_PORT } from './elegoo-protocol.ts'
import type { ElegooSession, SessionMemory } from './elegoo-session.ts'
import { openSdcpSession } from './sdcp-session.ts'

/** Longer than a printer takes to show a run that it was asked for. */
const START_UNSEEN_MS = 120_000

/** Filament is changed at the screen of these printers. */
const commands: ReadonlySet<CommandKind> = new Set(['print', 'pause', 'resume', 'stop', 'heaters', 'light'])

/** Drives a Centauri Carbon, by whichever language it speaks: SDCP, or MQTT for the second model. */
export function createElegooDriver(settings: PrinterSettings, context: DriverContext): PrinterDriver {
  const { connection } = settings
  const base = printerAddress(connection, SDCP_PORT)
  const port = typedPort(connection)
  let protocol: ElegooProtocol | undefined
  let session: ElegooSession | undefined
  let remembersLastRun = false
  const memory: SessionMemory = { acknowledgedFault: null }
  const start = createUnseenStart(START_UNSEEN_MS * context.waitFactor)

  const feed = createStateFeed({
    settings,
    context,
    async connect(signal, isUp) {
      protocol ??= await findProtocol(base, { protocol: connection.protocol, port }, signal)
      const openSession = protocol === 'sdcp' ? openSdcpSession : openCc2Session
      const opened = await openSession({
        base,
        port,
        connection,
        waitFactor: context.waitFactor,
        signal,
        memory,
        show(state) {
          isUp()
          if (state.run_mark !== null) remembersLastRun = session?.remembersLastRun ?? false
          feed.show(start.withoutStaleResult(state))
        },
      })
      session = opened
      try {
        await opened.closed
      } finally {
        session = undefined
        opened.close()
      }
    },
  })

  const requireSession = (): ElegooSession => {
    if (!session) throw new DriverError('UNREACHABLE', 'the printer does not answer')
    return session
  }

  return {
    // Runs have names, but a start is not answered with one.
    capabilities: {
      commands,
      keepsRunIdentity: false,
      // The Centauri Carbon keeps a record of its jobs over power cuts. That of the second model names none of them, only files.
      get remembersLastRun() {
        return remembersLastRun
      },
      // Its status is asked for every few seconds, and an acknowledgement may tell of the command before.
      refusalWatchMs: 15_000 * context.waitFactor,
      tellsLoadedFilament: false,
      get filamentMap() {
        return session?.filamentMap ?? 'none'
      },
      camera: true,
    },
    start: feed.start,
    stop: feed.stop,
    onState: feed.onState,
    adopt: feed.adopt,
    upload: async (file, signal) => requireSession().upload(file, signal),
    async startPrint(fileName, print, signal) {
      const opened = requireSession()
      start.expect(fileName)
      await opened.startPrint(fileName, print, signal)
      return { run_id: null }
    },
    run: async (command, signal) => requireSession().run(command, signal),
    removeFile: async (fileName, signal) => requireSession().removeFile(fileName, signal),
    takeStill: async (signal) => requireSession().takeStill(signal),
  }
}
