import { claimDataDirectory } from '../embedded/data-directory.ts'
import { say, sayError } from './say.ts'

const [dataDir = '', purpose = 'service'] = process.argv.slice(2)
try {
  const claim = await claimDataDirectory(dataDir, { purpose })
  claim.announce({ url: 'http://127.0.0.1:4400' })
  say({ pid: process.pid })
  setTimeout(() => process.exit(3), 60_000)
  process.once('SIGTERM', () => void claim.release().then(() => process.exit(0)))
} catch (error) {
  sayError(error)
}
