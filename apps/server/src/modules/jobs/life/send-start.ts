import type { FileToPrint } from '@printyard/protocol/commands'
import type { Context } from '../../../context/context.ts'
import type { AccountId, AttemptId, HubId } from '../../../kernel/ids.ts'
import {
  commandError,
  isFateUnknown,
  type NewCommand,
  sendCommand,
  type WrittenCommand,
} from '../../commands/commands.service.ts'
import { signFileUrl } from '../../files/hub-files.routes.ts'
import { settingsAreSent } from '../../printers/send-settings.ts'
import type { FileOfJob } from '../jobs.queries.ts'
import { settleAttempt } from './attempts.service.ts'

/** Time that the hub may take to fetch the file. Longer than any start needs; a new address comes with each attempt. */
const fileUrlLifetimeMs = 6 * 60 * 60 * 1000

/**
 * Sends the start of a reserved attempt and answers when the hub has it on its own record. What certainly did not begin
 * frees its printer and puts its job back into the queue; a start whose fate is not known keeps its printer, and the
 * hub is asked about it as soon as it is back.
 * @throws AppError HUB_OFFLINE or HUB_COMMAND_FAILED, after that is recorded.
 */
export async function sendStart(
  context: Context,
  accountId: AccountId,
  command: NewCommand<'print'> & { attemptId: AttemptId },
  written: WrittenCommand,
): Promise<void> {
  // What the start rests on, such as a plate that was cleared or other filament, is to be known at the hub before it.
  await settingsAreSent(context, command.hubId)
  const answer = await sendCommand(context, accountId, command, written)
  if (answer.kind === 'succeeded') return
  const isUnknown = isFateUnknown(answer)
  await settleAttempt(context, accountId, command.attemptId, {
    phase: isUnknown ? 'starting' : 'finished',
    outcome: isUnknown ? 'unknown' : 'not_started',
    reason_code: answer.kind === 'refused' ? answer.code : answer.kind.toUpperCase(),
    evidence: {
      kind: isUnknown ? 'silence' : 'refusal',
      run_id: null,
      detail: commandError(answer).message,
    },
    actor: 'system',
  })
  throw commandError(answer)
}

/** Answers what the hub is told of a file, with an address that only this hub can use. */
export function fileToPrint(context: Context, accountId: AccountId, hubId: HubId, file: FileOfJob): FileToPrint {
  const expiresAt = new Date(context.clock.now().getTime() + fileUrlLifetimeMs)
  return {
    file_version_id: file.file_version_id,
    name: file.original_name,
    url_path: signFileUrl(context, accountId, file.file_version_id, hubId, expiresAt),
    size_bytes: file.file_size_bytes,
    sha256: file.sha256,
    // Only sliced files reach this point: enqueueing refuses all others.
    format: file.format as FileToPrint['format'],
    archive_plate: file.archive_plate,
    print_time_seconds: file.print_time_seconds,
    layer_count: file.layer_count,
    filament_type: file.file_filament_type,
    nozzle_temp: file.nozzle_temp,
    bed_temp: file.bed_temp,
  }
}
