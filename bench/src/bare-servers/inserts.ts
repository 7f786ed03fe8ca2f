import { openDatabase } from '@printyard/server/db/database'
import { embeddedConnection } from '@printyard/server/db/embedded/embedded-connection'
import { newId } from '@printyard/server/kernel/ids'
import { queuedData, queuedJob } from '../farms/job-inserts.ts'
import { answerJson, serveBare } from './answer-json.ts'

// A job and its event, written by hand in one transaction: what is left of queueing a job without looking at what was asked for.
const [dataDir = '', accountId = '', fileId = '', versionId = '', connections = '1'] = process.argv.slice(2)
const { connection } = embeddedConnection(dataDir)
const database = openDatabase({ target: connection, transactionConnections: Number(connections) })
const of = { accountId, fileId, versionId }
const row = queuedJob(of)

serveBare((request, response) => {
  request.resume()
  insertJob().then(
    (id) => answerJson(response, JSON.stringify({ success: true, data: { id } })),
    (error: unknown) => response.writeHead(500).end(String(error)),
  )
})

async function insertJob(): Promise<string> {
  const id = newId('job')
  const now = new Date()
  await database.begin(async (sql) => {
    await sql`insert into jobs ${sql({ id, ...row, time_submitted: now, created_at: now, updated_at: now })}`
    await sql`
      insert into events (account_id, id, type, subject_id, data, actor)
      values (${accountId}, ${newId('event')}, 'job.queued', ${id}, ${sql.json(queuedData(of))}, 'system')`
  })
  return id
}
