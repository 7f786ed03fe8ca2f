import { Button, Group } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { asApiError, problemText } from '../../lib/api/api-error.ts'
import { t } from '../../lib/i18n/t.ts'
import { Icon } from '../icon.tsx'
import { RequestFacts } from '../page/error-state.tsx'

const closeButtonProps = { 'aria-label': t('Close the message') }

/** Tells what was done: `toastDone('Bench 3 is paused')`. */
export function toastDone(message: string): void {
  notifications.show({
    message,
    color: 'yard',
    icon: <Icon name="check" size={18} />,
    autoClose: 5000,
    closeButtonProps,
  })
}

/** Long enough to read what was done and to think again. */
const undoMs = 10_000

/** The same with a way to take it back; `undo` is a call to the service, and tells itself what came of it. */
export function toastUndo(message: string, undo: () => void): void {
  const id = notifications.show({
    message: (
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <span>{message}</span>
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => {
            notifications.hide(id)
            undo()
          }}
        >
          {t('Undo')}
        </Button>
      </Group>
    ),
    color: 'yard',
    icon: <Icon name="check" size={18} />,
    autoClose: undoMs,
    closeButtonProps,
  })
}

/** Tells what was done only in part. It stays until it is closed. */
export function toastWarning(title: string, message: string): void {
  notifications.show({
    title,
    message,
    color: 'yellow',
    icon: <Icon name="warning" size={18} />,
    autoClose: false,
    closeButtonProps,
    role: 'alert',
  })
}

/** Tells what could not be done and why. It stays until it is closed: it holds the id of the request. */
export function toastFailed(title: string, error: unknown): void {
  const { code, requestId } = asApiError(error)
  notifications.show({
    title,
    message: (
      <>
        {problemText(error)}
        <div>
          <RequestFacts code={code} requestId={requestId} />
        </div>
      </>
    ),
    color: 'red',
    icon: <Icon name="warning" size={18} />,
    autoClose: false,
    closeButtonProps,
    role: 'alert',
  })
}

/** The same for several things, each with its own reason. */
export function toastFailures(title: string, failures: readonly { name: string; error: unknown }[]): void {
  notifications.show({
    title,
    message: failures.map(({ name, error }) => {
      const { code, requestId } = asApiError(error)
      return (
        <div key={name}>
          {name}: {problemText(error)}
          <div>
            <RequestFacts code={code} requestId={requestId} />
          </div>
        </div>
      )
    }),
    color: 'red',
    icon: <Icon name="warning" size={18} />,
    autoClose: false,
    closeButtonProps,
    role: 'alert',
  })
}
