import type { Config } from '@printyard/server/kernel/config'
import { listBackups } from '@printyard/server/modules/backups/archive/backup-folder'
import { wayBack } from '@printyard/server/modules/backups/upgrade/upgrade-guard'
import { readUpgradeState, upgradesIn } from '@printyard/server/modules/backups/upgrade/upgrade-state'
import { tell } from '@printyard/server/modules/support/tell'
import { type Finding, ok, warning } from './finding.ts'

const name = 'upgrade'

/** Checks whether an upgrade has not come up, and which snapshot there is to go back to. Nothing to say where there never was one. */
export async function checkUpgrade({ dataDir }: Pick<Config, 'dataDir'>): Promise<Finding[]> {
  const { pending } = await readUpgradeState(dataDir)
  if (pending !== null) {
    const message = tell`The upgrade to Printyard ${pending.to} of ${pending.started_at} has not come up.`
    return [warning(name, message, tell`Start the service. ${wayBack(dataDir, pending)}`)]
  }
  const [newest] = await listBackups(upgradesIn(dataDir), 'snapshot').catch(() => [])
  if (newest === undefined) return []
  return [ok(name, tell`The snapshot of before the last upgrade is ${upgradesIn(dataDir)}/${newest.name}.`)]
}
