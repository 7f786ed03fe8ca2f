import { setTimeout as wait } from 'node:timers/promises'
import { readConfig } from '@printyard/server/kernel/config'
import { newId } from '@printyard/server/kernel/ids'
import { createWebhook } from '@printyard/server/modules/webhooks/settings/webhooks.service'
import { startService } from '@printyard/server/service'
import { systemWork } from '@printyard/server/test/app/system-work'
import { insertAccountWithKey } from '../../farms/farm.ts'

/** A service that records events itself at a steady rate, as its requests would: one account, a webhook for each port. */
const [ports = '[]', perSecond = '1000', seconds = '30'] = process.argv.slice(2)
const receiverPorts = JSON.parse(ports) as number[]

/** Subjects of each webhook, and events of one transaction. */
const subjectsOfEach = 20
const eventsPerTransaction = 20

const { context, stop } = await startService(readConfig(process.env))
const { id: accountId } = await insertAccountWithKey(context.db.sql)
const subjects: string[] = []
for (const port of receiverPorts) {
  const own = Array.from({ length: subjectsOfEach }, () => newId('color'))
  await context.db.begin((sql) =>
    createWebhook(context, systemWork(sql, accountId), {
      url: `http://127.0.0.1:${port}/hook`,
      subject_ids: own,
    }),
  )
  subjects.push(...own)
}

let recorded = 0
async function record(): Promise<void> {
  const happenings = Array.from({ length: eventsPerTransaction }, () => {
    // One webhook after another, and of each one subject after another.
    const webhook = recorded % receiverPorts.length
    const index = webhook * subjectsOfEach + (Math.floor(recorded / receiverPorts.length) % subjectsOfEach)
    recorded += 1
    return {
      type: 'color.updated' as const,
      subjectId: subjects[index] ?? '',
      data: { fields: ['color_name'] },
    }
  })
  await context.db.begin((sql) => systemWork(sql, accountId).recordAll(happenings))
}

process.stdout.write('service ready\n')
const startedAtMs = performance.now()
const all = Number(perSecond) * Number(seconds)
let wanted = 0
while (wanted < all) {
  const due = Math.min(all, ((performance.now() - startedAtMs) / 1000) * Number(perSecond))
  if (due - wanted < eventsPerTransaction) await wait(5)
  else {
    await record()
    wanted += eventsPerTransaction
  }
}
const tookSeconds = (performance.now() - startedAtMs) / 1000
process.stdout.write(`recorded ${JSON.stringify({ events: recorded, tookSeconds })}\n`)
process.on('SIGTERM', () => void stop().then(() => process.exit(0)))
setInterval(() => undefined, 60_000)
