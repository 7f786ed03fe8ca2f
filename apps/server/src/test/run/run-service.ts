import { readConfig } from '../../kernel/config.ts'
import { startService } from '../../service.ts'

// The service as a process of its own, set up by its environment, for tests that kill it. It says when it listens.
const { url } = await startService(readConfig(process.env))
process.stdout.write(`${JSON.stringify({ url })}\n`)
