import { wait } from '../../util/clock.ts'
import { DriverError } from '../driver.ts'
import { type JsonRpcSocket, RpcError } from './json-rpc-socket.ts'

interface KlipperWatch {
  socket: JsonRpcSocket
  silenceMs: number
  /** `performance.now()` of the last word of Klipper; undefined while it is not ready, and need not speak. */
  heardAtMs(): number | undefined
  onHeard(): void
  signal: AbortSignal
}

/**
 * Asks Klipper when it has said nothing for a while: Moonraker answers for itself when Klipper hangs. Rejects with a
 * `DriverError` `NO_ANSWER` when nothing comes, resolves when the signal aborts.
 */
export async function watchKlipper({ socket, silenceMs, heardAtMs, onHeard, signal }: KlipperWatch): Promise<void> {
  while (
    await wait(silenceMs / 4, signal).then(
      () => true,
      () => false,
    )
  ) {
    const heardMs = heardAtMs()
    if (heardMs === undefined || performance.now() - heardMs < silenceMs / 2) continue
    try {
      await socket.call('printer.info', {}, silenceMs, signal)
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof RpcError)) {
        throw new DriverError('NO_ANSWER', 'Klipper fell silent behind Moonraker', { cause: error })
      }
    }
    onHeard()
  }
}
