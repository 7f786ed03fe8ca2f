import { Alert, Box } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { PrinterDetail } from '../../../lib/api/api-schema.generated.ts'
import { t } from '../../../lib/i18n/t.ts'
import { seenFailures } from '../../../lib/words/failure-words.ts'
import { type Question, useConfirm } from '../../../ui/dialogs/confirm.tsx'
import { stopQuestion } from '../../../ui/dialogs/stop-question.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { ClearPlateDialog } from './clear-plate-dialog.tsx'
import { ControlRow } from './control-row.tsx'
import { FilamentDialog } from './filament-dialog.tsx'
import { HeatersDialog } from './heaters-dialog.tsx'
import { type PhysicalAction, type Standing, whyNot, whyOutOfReach } from './printer-actions.ts'
import { usePrinterCommand } from './use-printer-commands.ts'
import './controls-panel.css'

interface ControlsPanelProps {
  printer: PrinterDetail
  standing: Standing
}

/** What a person may ask of a printer. Whatever moves or heats it is asked once, by its name. */
export function ControlsPanel({ printer, standing }: ControlsPanelProps) {
  const { id, name } = printer
  const confirm = useConfirm()
  const command = usePrinterCommand(id)
  const [isHeating, heating] = useDisclosure(false)
  const [isChanging, changing] = useDisclosure(false)
  const [isClearing, clearing] = useDisclosure(false)
  const away = whyOutOfReach(standing)
  const can = (action: PhysicalAction) => whyNot(action, standing) === undefined
  const pending = command.isPending ? command.variables?.command : undefined
  const isAsking = (action: string) => pending?.kind === 'control' && pending.body.action === action

  const ask = async (question: Question, asked: Parameters<typeof command.mutate>[0]) => {
    if (await confirm(question)) command.mutate(asked)
  }
  const control = (action: 'pause' | 'resume', words: Question, done: string) =>
    ask(words, {
      command: { kind: 'control', body: { action } },
      done,
      failed: t('{name}: {confirmLabel} failed', { name, confirmLabel: words.confirmLabel }),
    })
  const stop = async () => {
    const { question, reason } = stopQuestion(
      {
        title: t('Stop the print on {name}?', { name }),
        body: t('The print is lost: it cannot be taken up again.'),
        confirmLabel: t('Stop printing'),
        isDangerous: true,
      },
      seenFailures,
    )
    if (!(await confirm(question))) return
    const type = reason()
    command.mutate({
      command: { kind: 'control', body: { action: 'stop', ...(type !== undefined && { failure_type: type }) } },
      done: t('The print on {name} is stopped', { name }),
      failed: t('{name}: {confirmLabel} failed', { name, confirmLabel: question.confirmLabel }),
    })
  }
  const light = (state: 'on' | 'off') =>
    ask(
      {
        title:
          state === 'on'
            ? t('Switch the light of {name} on?', { name })
            : t('Switch the light of {name} off?', { name }),
        body: t('A person may be working at it.'),
        confirmLabel: state === 'on' ? t('Light on') : t('Light off'),
      },
      {
        command: { kind: 'light', body: { state: state === 'on' } },
        done: state === 'on' ? t('The light of {name} is on', { name }) : t('The light of {name} is off', { name }),
        failed: t('The light of {name} was not switched', { name }),
      },
    )
  const maintain = (isWanted: boolean) =>
    ask(
      {
        title: isWanted ? t('Take {name} out of service?', { name }) : t('Put {name} back into service?', { name }),
        body: isWanted
          ? t('The current print continues; no other starts until the printer is put back into service.')
          : t('Jobs may start on it again once its plate is clear. Make sure that no one works at it.'),
        confirmLabel: isWanted ? t('Take out of service') : t('Put back'),
      },
      {
        command: { kind: 'maintenance', body: { in_maintenance: isWanted } },
        done: isWanted ? t('{name} is out of service', { name }) : t('{name} is back in service', { name }),
        failed: t('{name} was not changed', { name }),
      },
    )

  return (
    <Panel title={t('Controls')}>
      {away !== undefined && (
        <Alert mb="sm" variant="light" color="gray" icon={<Icon name="away" />}>
          {t('{away}. No command reaches the printer until it is back.', { away })}
        </Alert>
      )}
      <Box className="control-list" role="group" aria-label={t('Controls')}>
        {can('resume') && (
          <ControlRow
            label={t('Resume')}
            icon="play"
            isBusy={isAsking('resume')}
            onPress={() =>
              void control(
                'resume',
                {
                  title: t('Resume the print on {name}?', { name }),
                  body: t('The printer heats up and moves. Make sure that no hand is in it.'),
                  confirmLabel: t('Resume printing'),
                },
                t('{name} prints on', { name }),
              )
            }
          />
        )}
        {can('pause') && (
          <ControlRow
            label={t('Pause')}
            icon="pause"
            isBusy={isAsking('pause')}
            onPress={() =>
              void control(
                'pause',
                {
                  title: t('Pause the print on {name}?', { name }),
                  body: t('It can be resumed. A long pause may leave a mark on the part.'),
                  confirmLabel: t('Pause printing'),
                },
                t('{name} is paused', { name }),
              )
            }
          />
        )}
        {can('stop') && (
          <ControlRow label={t('Stop')} icon="stop" isDangerous isBusy={isAsking('stop')} onPress={() => void stop()} />
        )}
        {can('clear_bed') && (
          <ControlRow
            label={t('Clear plate')}
            icon="check"
            isWanted={standing.status === 'idle'}
            isBusy={isAsking('clear_bed')}
            onPress={clearing.open}
          />
        )}
        {can('heaters') && <ControlRow label={t('Heaters')} icon="heat" onPress={heating.open} />}
        {can('filament') && <ControlRow label={t('Filament')} icon="spool" onPress={changing.open} />}
        {can('light') && (
          <>
            <ControlRow label={t('Light on')} icon="sun" onPress={() => void light('on')} />
            <ControlRow label={t('Light off')} icon="moon" onPress={() => void light('off')} />
          </>
        )}
        <ControlRow
          label={printer.in_maintenance ? t('Put back into service') : t('Take out of service')}
          icon="settings"
          isBusy={pending?.kind === 'maintenance'}
          onPress={() => void maintain(!printer.in_maintenance)}
        />
      </Box>
      <ClearPlateDialog printer={printer} command={command} isOpen={isClearing} onClose={clearing.close} />
      <HeatersDialog printer={printer} command={command} isOpen={isHeating} onClose={heating.close} />
      <FilamentDialog printer={printer} command={command} isOpen={isChanging} onClose={changing.close} />
    </Panel>
  )
}
