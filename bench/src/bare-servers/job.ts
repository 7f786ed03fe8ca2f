import { openDriver } from '@printyard/server/db/driver/open-driver'
import { embeddedConnection } from '@printyard/server/db/embedded/embedded-connection'
import { answerJson, serveBare } from './answer-json.ts'

// One job by hand: what is left of the service without keys, limits, schemas and error handling.
const [dataDir = '', accountId = '', connections = '1'] = process.argv.slice(2)
const { connection } = embeddedConnection(dataDir)
const sql = openDriver(connection, 'printyard bench', { connections: Number(connections) })
const prefix = '/public/v1/jobs/'.length

serveBare((request, response) => {
  const jobId = request.url?.slice(prefix) ?? ''
  sql`
    select j.id, j.status, j.printer_id, j.product_id, j.product_sku_id, j.product_name, j.file_name,
      j.number_of_units, j.color, j.filament_type, j.material_type, j.progress_percentage,
      j.estimated_print_time_minutes, j.actual_print_time_minutes, j.failure_reason, j.time_submitted, j.time_started,
      j.time_completed, j.created_at, j.updated_at, j.filament_needed_grams, p.name as printer_name,
      p.model as printer_model, j.sku_name
    from jobs j
    left join printers p on p.account_id = j.account_id and p.id = j.printer_id
    left join attempts a on a.account_id = j.account_id and a.job_id = j.id and a.phase <> 'finished'
    where j.account_id = ${accountId} and j.id = ${jobId}`.then(
    ([data]) => answerJson(response, JSON.stringify({ success: true, data })),
    (error: unknown) => response.writeHead(500).end(String(error)),
  )
})
