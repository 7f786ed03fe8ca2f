import { readdirSync, readFileSync } from 'node:fs'
import { isRedisInstalled } from '@printyard/server/test/services/test-redis'
import { expect, test } from 'vitest'
import { openCluster } from './test/open-cluster.ts'

/** The processes that this one has started and that have not ended. */
function children(): string[] {
  const tasks = readdirSync('/proc/self/task')
  const ids = tasks.flatMap((task) => readFileSync(`/proc/self/task/${task}/children`, 'utf8').split(' '))
  return ids.filter((id) => id !== '').sort()
}

test.skipIf(!isRedisInstalled() || process.platform !== 'linux')(
  'a cluster that cannot be opened leaves nothing running',
  async () => {
    const before = children()
    const settings = { PRINTYARD_LOG_LEVEL: 'no such level' }
    await expect(openCluster({ processes: 2, redis: true, settings })).rejects.toThrow('PRINTYARD_LOG_LEVEL')
    expect(children()).toEqual(before)
  },
  60_000,
)
