import { readConfig } from '../kernel/config.ts'
import { startService } from '../service.ts'

// The service as a process of its own, set up by its environment, for tests that kill it.
await startService(readConfig(process.env))
