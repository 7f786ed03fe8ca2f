import { Alert, Box } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { PrinterDetail } from '../../../lib/api/api-schema.generated.ts'
import { seenFailures } from '../../../lib/failure-words.ts'
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
      failed: `${name}: ${words.confirmLabel} failed`,
    })
  const stop = async () => {
    const { question, reason } = stopQuestion(
      {
        title: `Stop the print on ${name}?`,
        body: 'The print is lost: it cannot be taken up again.',
        confirmLabel: 'Stop printing',
        isDangerous: true,
      },
      seenFailures,
    )
    if (!(await confirm(question))) return
    const type = reason()
    command.mutate({
      command: { kind: 'control', body: { action: 'stop', ...(type !== undefined && { failure_type: type }) } },
      done: `The print on ${name} is stopped`,
      failed: `${name}: ${question.confirmLabel} failed`,
    })
  }
  const light = (state: 'on' | 'off') =>
    ask(
      {
        title: `Switch the light of ${name} ${state}?`,
        body: 'A person may be working at it.',
        confirmLabel: `Light ${state}`,
      },
      {
        command: { kind: 'light', body: { state: state === 'on' } },
        done: `The light of ${name} is ${state}`,
        failed: `The light of ${name} was not switched`,
      },
    )
  const maintain = (isWanted: boolean) =>
    ask(
      {
        title: isWanted ? `Take ${name} out of service?` : `Put ${name} back into service?`,
        body: isWanted
          ? 'A print that is under way goes on; nothing new starts until it is put back.'
          : 'Jobs may start on it again once its plate is clear. Make sure that no one works at it.',
        confirmLabel: isWanted ? 'Take out of service' : 'Put back',
      },
      {
        command: { kind: 'maintenance', body: { in_maintenance: isWanted } },
        done: isWanted ? `${name} is out of service` : `${name} is back in service`,
        failed: `${name} was not changed`,
      },
    )

  return (
    <Panel title="Controls">
      {away !== undefined && (
        <Alert mb="sm" variant="light" color="gray" icon={<Icon name="away" />}>
          {away}. No command reaches the printer until it is back.
        </Alert>
      )}
      <Box className="control-list" role="group" aria-label="Controls">
        {can('resume') && (
          <ControlRow
            label="Resume"
            icon="play"
            isBusy={isAsking('resume')}
            onPress={() =>
              void control(
                'resume',
                {
                  title: `Resume the print on ${name}?`,
                  body: 'The printer heats up and moves. Make sure that no hand is in it.',
                  confirmLabel: 'Resume printing',
                },
                `${name} prints on`,
              )
            }
          />
        )}
        {can('pause') && (
          <ControlRow
            label="Pause"
            icon="pause"
            isBusy={isAsking('pause')}
            onPress={() =>
              void control(
                'pause',
                {
                  title: `Pause the print on ${name}?`,
                  body: 'It can be resumed. A long pause may leave a mark on the part.',
                  confirmLabel: 'Pause printing',
                },
                `${name} is paused`,
              )
            }
          />
        )}
        {can('stop') && (
          <ControlRow label="Stop" icon="stop" isDangerous isBusy={isAsking('stop')} onPress={() => void stop()} />
        )}
        {can('clear_bed') && (
          <ControlRow
            label="Clear plate"
            icon="check"
            isWanted={standing.status === 'idle'}
            isBusy={isAsking('clear_bed')}
            onPress={clearing.open}
          />
        )}
        {can('heaters') && <ControlRow label="Heaters" icon="heat" onPress={heating.open} />}
        {can('filament') && <ControlRow label="Filament" icon="spool" onPress={changing.open} />}
        {can('light') && (
          <>
            <ControlRow label="Light on" icon="sun" onPress={() => void light('on')} />
            <ControlRow label="Light off" icon="moon" onPress={() => void light('off')} />
          </>
        )}
        <ControlRow
          label={printer.in_maintenance ? 'Put back into service' : 'Take out of service'}
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
