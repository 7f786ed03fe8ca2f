import { openDatabase } from '@printyard/server/db/database'
import { embeddedConnection } from '@printyard/server/db/embedded/embedded-connection'
import { newId } from '@printyard/server/kernel/ids'
import { answerJson, serveBare } from './answer-json.ts'

// A job and its event, written by hand in one transaction: what is left of queueing a job without looking at what was asked for.
const [dataDir = '', accountId = '', fileId = '', versionId = '', connections = '1'] = process.argv.slice(2)
const { connection } = embeddedConnection(dataDir)
const database = openDatabase({ target: connection, transactionConnections: Number(connections) })

serveBare((request, response) => {
  request.resume()
  insertJob().then(
    (id) => answerJson(response, JSON.stringify({ success: true, data: { id } })),
    (error: unknown) => response.writeHead(500).end(String(error)),
  )
})

async function insertJob(): Promise<string> {
  const id = newId('job')
  await database.begin(async (sql) => {
    await sql`
      insert into jobs (account_id, id, status, print_file_id, file_version_id, file_name, number_of_units,
        quantity_per_print, plates_total, created_by)
      values (${accountId}, ${id}, 'queued', ${fileId}, ${versionId}, 'clip.gcode', 1, 1, 1, 'system')`
    await sql`
      insert into events (account_id, id, type, subject_id, data, actor)
      values (${accountId}, ${newId('event')}, 'job.queued', ${id}, '{}', 'system')`
  })
  return id
}
