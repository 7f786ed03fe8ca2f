import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../node24.mjs'
import { readChangelog } from './git-history.mjs'

const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'))
writeFileSync(join(projectRoot, 'CHANGELOG.md'), readChangelog(version, Math.floor(Date.now() / 1000)))
