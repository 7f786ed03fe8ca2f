/**
 * Answers what the longest turn of the event loop costs this thread while something is done, in ms of its own processor time: a machine that is
 * busy with other things, or a database that is slow, makes it no longer.
 */
export async function longestTurnOf(work: () => Promise<unknown>): Promise<{ longestMs: number; allMs: number }> {
  const spentMs = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1_000
  }
  const startedAtMs = spentMs()
  let before = startedAtMs
  let longestMs = 0
  const look = () => {
    const now = spentMs()
    longestMs = Math.max(longestMs, now - before)
    before = now
  }
  const timer = setInterval(look, 1)
  try {
    await work()
  } finally {
    clearInterval(timer)
  }
  look()
  return { longestMs, allMs: spentMs() - startedAtMs }
}
