import { Button } from '@mantine/core'
import { api } from '../../../lib/api/api.ts'
import { t } from '../../../lib/i18n/t.ts'
import { useMay } from '../../../lib/session.ts'
import { useActions } from '../../../ui/dialogs/use-actions.ts'
import { LinkButton } from '../../../ui/link-button.tsx'
import type { Remedy } from './rule-remedies.ts'

interface RemedyButtonProps {
  remedy: Remedy
  printer: { id: string; name: string }
}

/** Where, or how, a person takes out of the way what keeps a job from starting. */
export function RemedyButton({ remedy, printer }: RemedyButtonProps) {
  const { id, name } = printer
  const mayWrite = useMay('write')
  const actions = useActions('printers', 'jobs')
  if (remedy.kind === 'hubs') {
    return (
      <LinkButton to="/hubs" size="xs" variant="light">
        {remedy.label}
      </LinkButton>
    )
  }
  if (remedy.kind === 'printer') {
    return (
      <LinkButton to="/printers/$printerId" params={{ printerId: id }} size="xs" variant="light">
        {remedy.label}
      </LinkButton>
    )
  }
  if (!mayWrite) return null
  const switchOn = async () => {
    const { etag } = await api.getTagged('GET /printers/{id}', { params: { id } })
    await api.call('PATCH /printers/{id}', { params: { id }, body: { auto_start: true }, ifMatch: etag })
  }
  return (
    <Button
      size="xs"
      variant="light"
      loading={actions.busyId === id}
      onClick={() =>
        void actions.perform({
          id,
          question: {
            title: t('Let {name} start jobs by itself?', { name }),
            body: t('It then heats up and moves without asking, each time its plate was confirmed to be clear.'),
            confirmLabel: t('Start jobs by itself'),
          },
          call: switchOn,
          done: t('{name} starts jobs by itself', { name }),
          failed: t('{name} was not changed', { name }),
        })
      }
    >
      {t('Let it start jobs by itself')}
    </Button>
  )
}
