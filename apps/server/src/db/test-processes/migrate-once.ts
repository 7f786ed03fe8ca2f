import { migrate } from '../migrate.ts'
import { silentLog } from '../setup/database-log.ts'
import { say, sayError } from './say.ts'

const [url = '', directory = ''] = process.argv.slice(2)
try {
  say({ applied: await migrate({ target: { url }, directory, log: silentLog }) })
} catch (error) {
  sayError(error)
}
