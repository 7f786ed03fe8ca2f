import { Button, Group, Modal, Text } from '@mantine/core'
import { createContext, type ReactNode, use, useCallback, useEffect, useEffectEvent, useState } from 'react'
import { t } from '../../lib/i18n/t.ts'

export interface Question {
  /** Names the thing: `Stop the print on Bench 3?` */
  title: string
  /** What will happen, and whether it can be undone. */
  body: ReactNode
  /** The action, never "OK": `Stop printing`. */
  confirmLabel: string
  cancelLabel?: string
  /** Something is lost, or moves in the workshop. */
  isDangerous?: boolean
}

interface Asked extends Question {
  answer: (isConfirmed: boolean) => void
}

const ConfirmContext = createContext<(question: Question) => Promise<boolean>>(() => Promise.resolve(false))

/** `const confirm = useConfirm(); if (await confirm({ title: 'Stop the print on Bench 3?', … })) …` */
export function useConfirm(): (question: Question) => Promise<boolean> {
  return use(ConfirmContext)
}

/** Holds the one dialog that asks. */
export function ConfirmProvider({ children }: { children: ReactNode }) {
  const [asked, setAsked] = useState<Asked>()
  const [isOpen, setIsOpen] = useState(false)
  const ask = useCallback(
    (question: Question) =>
      new Promise<boolean>((resolve) => {
        const answer = (isConfirmed: boolean) => {
          setIsOpen(false)
          resolve(isConfirmed)
        }
        setAsked({ ...question, answer })
        setIsOpen(true)
      }),
    [],
  )
  // First at the window, since it is here before any page: a drawer or dialog beneath listens there, too, and would close
  // with the question.
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (!isOpen || event.key !== 'Escape' || event.isComposing) return
    event.stopImmediatePropagation()
    asked?.answer(false)
  })
  useEffect(() => {
    window.addEventListener('keydown', onKeyDown, { capture: true })
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true })
  }, [])
  return (
    <ConfirmContext value={ask}>
      {children}
      <Modal
        opened={isOpen}
        onClose={() => asked?.answer(false)}
        closeOnEscape={false}
        title={<Text fw={650}>{asked?.title}</Text>}
        // Over a dialog or a drawer (200) that asks.
        zIndex={250}
      >
        <Text component="div">{asked?.body}</Text>
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={() => asked?.answer(false)} data-autofocus>
            {asked?.cancelLabel ?? t('Cancel')}
          </Button>
          <Button {...(asked?.isDangerous && { color: 'red.9' })} onClick={() => asked?.answer(true)}>
            {asked?.confirmLabel}
          </Button>
        </Group>
      </Modal>
    </ConfirmContext>
  )
}
