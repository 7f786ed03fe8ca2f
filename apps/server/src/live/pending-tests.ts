import type { HubMessageBody } from '@printyard/protocol/messages'

/** What came of a connection test; `offline`: the hub went away, `silent`: it did not answer in time. */
export type TestAnswer = HubMessageBody<'connection_tested'> | 'offline' | 'silent'

/** Connection tests that hubs have been asked for and not answered yet. Kept in memory: nobody waits across a restart. */
export interface PendingTests {
  wait(hubId: string, testId: string, timeoutMs: number): Promise<TestAnswer>
  /** False when nobody waits for it any more, or it was another hub's. */
  answer(hubId: string, body: HubMessageBody<'connection_tested'>): boolean
  loseHub(hubId: string): void
}

export function createPendingTests(): PendingTests {
  const waiting = new Map<string, { hubId: string; settle(answer: TestAnswer): void }>()
  return {
    wait: (hubId, testId, timeoutMs) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => settle('silent'), timeoutMs)
        function settle(answer: TestAnswer): void {
          clearTimeout(timer)
          waiting.delete(testId)
          resolve(answer)
        }
        waiting.set(testId, { hubId, settle })
      }),
    answer(hubId, body) {
      const wait = waiting.get(body.test_id)
      if (wait?.hubId !== hubId) return false
      wait.settle(body)
      return true
    },
    loseHub(hubId) {
      for (const wait of [...waiting.values()]) if (wait.hubId === hubId) wait.settle('offline')
    },
  }
}
