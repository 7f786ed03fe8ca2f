import { supposedId } from '../../../kernel/ids.ts'
import type { Facts, LiveOutput, OpenAssembly } from './facts.ts'
import type { Production } from './production.ts'

/** The facts as they are when all of it has been queued. `round` tells its jobs and tasks from those of other productions. */
export function afterProducing(facts: Facts, { jobs, assemblyTasks }: Production, round = 0): Facts {
  const outputs = jobs.flatMap(({ outputs, plates, dedicatedTo }, index) =>
    outputs.map(
      ({ skuId, units }): LiveOutput => ({
        jobId: supposedId('job', `${round}_${index}`),
        skuId,
        units: units * plates,
        expectedAtMs: null,
        dedicatedTo,
        isQueued: true,
      }),
    ),
  )
  const dedicated = new Set(
    facts.demands.flatMap((demand) => (demand.kind === 'order_item' && demand.isDedicated ? [demand.id] : [])),
  )
  const tasks = assemblyTasks.map(
    ({ skuId, units, orderItemId }, index): OpenAssembly => ({
      id: supposedId('assemblyTask', `${round}_${index}`),
      kind: 'kit_assembly',
      skuId,
      unitsLeft: units,
      orderItemId,
      isDedicated: orderItemId !== null && dedicated.has(orderItemId),
    }),
  )
  return { ...facts, outputs: [...facts.outputs, ...outputs], assemblyTasks: [...facts.assemblyTasks, ...tasks] }
}
