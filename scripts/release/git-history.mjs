import { execFileSync } from 'node:child_process'
import { projectRoot } from '../node24.mjs'
import { formatChangelog } from './changelog.mjs'

/**
 * The page of changes: from the commits, with each tag `v1.2.3` as the end of a version and what came since as the present one.
 *
 * @param {string} version the present one
 * @param {number} mtime when it is dated, in seconds since 1970
 */
export function readChangelog(version, mtime) {
  const tags = git('tag', '--list', 'v*', '--merged', 'HEAD', '--sort=-version:refname')
    .split('\n')
    .filter((tag) => /^v\d+\.\d+\.\d+$/.test(tag))
  const ends = tags[0] === `v${version}` ? tags : ['HEAD', ...tags]
  const releases = ends.map((end, index) => {
    const former = ends[index + 1]
    const range = former === undefined ? end : `${former}..${end}`
    return {
      version: end === 'HEAD' ? version : end.slice(1),
      date:
        end === 'HEAD'
          ? new Date(mtime * 1000).toISOString().slice(0, 10)
          : git('log', '-1', '--format=%cs', end).trim(),
      subjects: git('log', '--no-merges', '--format=%s', range).split('\n'),
    }
  })
  return formatChangelog(releases)
}

/** @param {string[]} args */
function git(...args) {
  return execFileSync('git', args, { cwd: projectRoot, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
}
