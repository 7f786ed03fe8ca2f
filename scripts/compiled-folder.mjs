import { join } from 'node:path'
import { projectRoot } from './node24.mjs'

/**
 * Where Node keeps what it compiled of our sources. Given as `NODE_COMPILE_CACHE`, or enabled before the first TypeScript
 * file, it also spares the process Node's stripper of types, which once loaded stays with some 20 MB.
 */
export const compiledFolder = join(projectRoot, 'node_modules/.cache/compiled')
