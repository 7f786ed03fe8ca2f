import type { ZxcvbnFactory } from '@zxcvbn-ts/core'

/** Words of leaked passwords, other languages and this trade that the library's lists leave out. */
const moreWords = `
thepassword yourpassword oldpassword testpassword defaultpassword secretpassword passphrase meinpasswort geheimnis
monmotdepasse contraseña contrasenia lozenord lösenord haslomaslo administrador administrateur adminadmin rootroot
superuser superadmin useruser guestguest demodemo loginlogin mastermaster changemenow changethis letmeinplease
accessdenied welcomeback welcomehome welcometo hallohallo hallowelt iloveyouso iloveyousomuch iloveyoubaby ilovemymom
ichliebedich jetaimemonamour teamomucho lovelovelove loveisgod jesuslovesme foreverlove bestfriends frühling fruehling
fußball münchen manchesterunited youllneverwalkalone michaeljordan lukeskywalker dumbledore lordoftherings fortnite
worldofwarcraft blinkoneeightytwo onedirection taylorswift winniethepooh harleydavidson instagram ubuntu abcdef
abcdefg abcdefgh printyard printfarm filament bambulab creality octoprint klipper
`

/** 10^8 guesses, the least that zxcvbn calls safe where a slow hash is stolen. */
const leastScore = 3

/** The estimate runs on the main thread and grows with the length: 40 characters take some 10 ms, at most 50. */
const judgedLength = 40

let estimator: Promise<ZxcvbnFactory> | undefined

/** Loads the lists when a password is first chosen: they take 8 MB, and most runs of the service need none. */
async function loadEstimator(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ])
  return new ZxcvbnFactory({
    dictionary: { ...dictionary, moreWords: moreWords.trim().split(/\s+/) },
    graphs: adjacencyGraphs,
    maxLength: judgedLength,
  })
}

/** True when a password is guessed early: a leaked one, a word with digits around it, a row of keys, a repetition. */
export async function isGuessable(password: string): Promise<boolean> {
  estimator ??= loadEstimator()
  const judge = await estimator
  const text = password.normalize('NFKC')
  // Signs around a word count as strength to the estimate, though guessers try them early: `***welcome123***`.
  const bare = text.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
  return [text, bare].some((each) => judge.check(each).score < leastScore)
}

/**
 * True when a password is nothing but one of these names, once or more, with digits and signs around it.
 *
 * @param names what others know of the person: their name, the farm's, their address
 */
export function isNameOf(password: string, names: readonly string[]): boolean {
  const candidates = [squeeze(password), squeeze(core(password))]
  return names.some((name) => {
    const known = [squeeze(name), squeeze(core(name))].filter((word) => word !== '')
    return known.some((word) => candidates.some((text) => text !== '' && text.replaceAll(word, '') === ''))
  })
}

/** Letters and digits alone. */
function squeeze(text: string): string {
  return lowered(text).replace(/[^\p{L}\p{N}]/gu, '')
}

/** Without the digits and signs that people put around a word. */
function core(text: string): string {
  return lowered(text).replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
}

function lowered(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}
