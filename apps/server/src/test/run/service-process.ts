import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { onTestFinished } from 'vitest'
import { ensureProgram } from '../../../../../scripts/toolchain.mjs'
import { type TestApp, testSecretKey } from '../app/test-app.ts'
import { startNode } from './child-node.ts'
import { temporaryDirectory } from './temporary-directory.ts'

const skewedClock = join(import.meta.dirname, 'skewed-clock.ts')

/** As long as a busy machine may take to start a service, or one to take over from another. */
const patienceMs = 120_000

/** A service of its own, bundled as users run it, on the database of a test: from its sources a start takes twice the processor time. */
interface ServiceProcess {
  /** Ends it as a power cut does. */
  kill(): Promise<void>
  /** Waits for what it does. @throws Error when it ends first, or never does it */
  does(isDone: () => boolean | Promise<boolean>): Promise<void>
}

/**
 * Starts one, and waits until it listens. It is killed with the test at the latest.
 *
 * @param clockAheadMs how wrong the clock of its machine is
 */
export async function startServiceProcess(t: Pick<TestApp, 'db'>, { clockAheadMs = 0 } = {}): Promise<ServiceProcess> {
  const service = startNode(await ensureProgram(process.execPath), ['serve', '--json'], {
    env: {
      ...{ DATABASE_URL: t.db.url, PRINTYARD_DATA_DIR: temporaryDirectory(), PRINTYARD_SECRET_KEY: testSecretKey },
      ...{ PRINTYARD_OUTBOUND_NETWORKS: '127.0.0.1', PRINTYARD_PORT: '0', PRINTYARD_HOST: '127.0.0.1' },
      PRINTYARD_LOG_LEVEL: 'error',
      ...(clockAheadMs !== 0 && {
        ...{ NODE_OPTIONS: `--import=${pathToFileURL(skewedClock)}`, TEST_CLOCK_AHEAD_MS: String(clockAheadMs) },
      }),
    },
  })
  onTestFinished(() => void service.child.kill('SIGKILL'))
  let end: string | undefined
  void service.ended.then((how) => {
    end = how
  })
  await service.nextMessage({ withinMs: patienceMs })
  return {
    async kill() {
      service.child.kill('SIGKILL')
      await service.ended
    },
    async does(isDone) {
      const deadline = Date.now() + patienceMs
      while (!(await isDone())) {
        if (end !== undefined) throw new Error(`the service ended, ${end}: ${service.errors()}`)
        if (Date.now() > deadline) throw new Error(`the service never did: ${isDone}`)
        await wait(50)
      }
    },
  }
}
