import { writeFileSync } from 'node:fs'
import { describeCapabilities } from './family-capabilities.ts'

writeFileSync(new URL('../../../../docs/hub/capabilities.md', import.meta.url), describeCapabilities())
