import { completeSharedLibraries } from '../embedded/postgres-binaries.ts'
import { say, sayError } from './say.ts'

try {
  completeSharedLibraries(process.argv[2] ?? '')
  say({ done: true })
} catch (error) {
  sayError(error)
}
