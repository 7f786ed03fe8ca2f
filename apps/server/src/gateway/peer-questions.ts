import { notHere, type QuestionListener } from '../cluster/questions.ts'
import type { Context } from '../context/context.ts'
import { deliverRouted } from '../modules/commands/commands.service.ts'
import { followPrinter } from '../modules/jobs/life/follow-printer.ts'
import { sendPrinterSettings } from '../modules/printers/send-settings.ts'

/** Does with the hubs that are connected here what other processes ask for; the hub and its account are checked first. */
export function answerPeers(context: Context): QuestionListener {
  const { hubs } = context
  return async ({ accountId, hubId }, question) => {
    if (hubs.findHere(hubId)?.accountId !== accountId) return notHere
    switch (question.kind) {
      case 'command':
        return (await deliverRouted(context, accountId, hubId, question)) ?? { kind: 'offline' }
      case 'still': {
        const answer = await hubs.askForStill(hubId, question.printer_id, question.timeout_ms)
        return answer.kind === 'still' ? { kind: 'still', data: answer.bytes.toString('base64') } : answer
      }
      case 'connection_test':
        return hubs.testConnection(hubId, question.test, question.timeout_ms)
      case 'discover': {
        const { address } = question
        return hubs.send(hubId, 'discover', address === null ? {} : { address }) ? done : notHere
      }
      case 'release':
        return hubs.send(hubId, 'release', { attempts: question.attempts }) ? done : notHere
      case 'configure':
        await sendPrinterSettings(context, accountId, hubId)
        return done
      case 'disconnect':
        hubs.disconnect(hubId, { reason: 'stale', message: question.message, retry_after_ms: 0 })
        return done
      case 'follow':
        await followPrinter(context, question.printer_id)
        return done
      default:
        // Of a newer version.
        return notHere
    }
  }
}

const done = { kind: 'done' }
