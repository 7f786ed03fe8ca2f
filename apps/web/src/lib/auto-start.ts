import { t } from './i18n/t.ts'

/** How a printer is allowed to start jobs without a person, in the words of every form that asks. */
export const autoStart = {
  label: t('Start queued jobs by itself'),
  description: t('Each time its plate was confirmed to be clear. Off: every job on it is started by hand.'),
}
