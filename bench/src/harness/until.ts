import { setTimeout as wait } from 'node:timers/promises'

/** Asks again every `everyMs` until it is so. @throws Error naming `what` when it is not so after `mostMs` */
export async function until(
  what: string,
  isSo: () => boolean | Promise<boolean>,
  { everyMs = 250, mostMs = 60_000 } = {},
): Promise<void> {
  const deadline = performance.now() + mostMs
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`Not within ${mostMs} ms: ${what}`)
    await wait(everyMs)
  }
}
