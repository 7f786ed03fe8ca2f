/**
 * What guessers try first, of the length that we ask for: passwords that stand high in every published list of leaked ones.
 * Lower case, in groups that one can look through.
 */
const whole = `
1234567890 12345678910 123456789a a123456789 123456789q q123456789 0123456789 01234567890 0987654321 9876543210
1234567891 1234567899 123456789123 123456789987 1234554321 1234512345 123454321a 12345qwert 12345qwerty 123456qwerty
1234567qwerty 123qweasdzxc 123qwe123qwe 123123123a 1029384756 1357924680 2468013579 1011121314 1020304050 1112131415
1122334455 112233445566 1223334444 1313131313 1472583690 147258369a 1597534862 159357258456 741852963a 7418529630
3141592653 3141592654 2718281828 0000000001 1000000000 0147258369 5544332211 9988776655 789456123a 7894561230
qwertyuiop qwertyuiopasdf qwertyuiop123 qwertyuiop1 qwerty12345 qwerty123456 qwertyqwerty qwertzuiop qwertzuiop123
qwertzuiopü azertyuiop azertyuiop123 asdfghjkl1 asdfghjkl123 asdfghjklö asdfghjkl; asdfasdfasdf asdf1234asdf asdfqwer1234
zxcvbnm123 zxcvbnm1234 zxcvbnm,./ yxcvbnm123 poiuytrewq lkjhgfdsa1 mnbvcxz123 qazwsxedcrfv qazwsxedc1 qazwsx1234
qazwsx123456 qaz123wsx456 1qaz2wsx3edc 1qaz2wsx3e 1qaz1qaz1qaz 1qaz@wsx3edc zaq12wsxcde3 zaq1xsw2cde3 1q2w3e4r5t
1q2w3e4r5t6y 1q2w3e4r5t6z 1q2w3e4r5t6y7u 1q2w3e4r1q2w3e4r q1w2e3r4t5 q1w2e3r4t5y6 qwer1234qwer qwer1234asdf 1234qwerasdf
1234qwerasdfzxcv qweasdzxc123 qweasdzxc1 qwe123qwe123 qweqweqwe1 wasdwasdwasd !qaz2wsx3edc !@#$%^&*() !qaz@wsx#edc
abcdefghij abcdefghijk abcdefgh123 abcdefg123 abcdef1234 abcdef123456 abcd123456 abcd12345678 abc123abc123 abc1234567
abc123456789 123456abcdef 1234abcd1234 a1b2c3d4e5 a1b2c3d4e5f6 aa12345678 aaa1234567 aabbccddee q123456789q
p@ssw0rd123 p@ssw0rd12 p@ssw0rd1! p@ssw0rd2024 p@ssw0rd2025 p@ssw0rd2026 passw0rd123 passw0rd12 passw0rd1! pa55word123 pa$$word123
pa$$w0rd123 pa$$w0rd12 p@55w0rd12 p4ssw0rd123 p4ssword123 pass123word pass1234word pass12345word 1password1 mypassword1
adm1n12345 4dm1n12345 r00tr00tr00t t3mp0rary1 ch4ng3m3123 l3tm31n123 w3lc0me123 we1come123 s3cr3t1234 h3ll0world
ncc1701ncc1701 thx1138thx bond007bond 007bond007 rush2112rush apollo13apollo u2u2u2u2u2 pokemon123pokemon
`

/** Words that stay guessable whatever digits and signs stand around them: `Summer2026!` is tried as early as `summer`. */
const words = `
password passwords mypassword thepassword yourpassword newpassword oldpassword nopassword passwordpassword passwort
meinpasswort kennwort geheimnis motdepasse monmotdepasse contraseña contrasena contrasenia senha minhasenha wachtwoord
lozenord lösenord salasana haslo haslomaslo parola parol heslo jelszo sifre passphrase passcode pass passwd pwd
admin administrator adminadmin administrador administrateur root rootroot superuser superadmin sysadmin operator manager
user username useruser guest guestguest default defaultpassword system server service support helpdesk office company
test tester testing testtest testuser testpassword demo demodemo example sample temp temporary temppass temppassword
changeme changemenow changeit change changethis letmein letmeinnow letmeinplease openup opensesame sesame secret secrets
topsecret mysecret secretpassword welcome welcomeback welcomehome welcometo hello hellohello helloworld hello world
hallo hallohallo hallowelt bonjour hola holahola ciao ciaociao login loginlogin access accessdenied enter master
masterkey mastermaster keepout trustnoone trustme nothing whatever whocares forget forgot forgetit idontknow dontknow
iloveyou iloveyouso iloveyousomuch iloveyoubaby iloveme ilovegod ilovejesus ilovemyself ilovemom ilovemymom ilovemyfamily
iloveu ichliebedich jetaime jetaimemonamour teamo teamomucho tiamo lovelove loveyou lovelovelove loveforever lover
loveme loveisgod truelove mylove babygirl babyboy babyface sweetheart sweetie darling honey beautiful gorgeous pretty
princess prince queen kingking mother father family myfamily brother sister forever foreverlove together friends friend
bestfriend bestfriends boyfriend girlfriend happiness happy smile sunshine sunflower rainbow butterfly flower flowers
summer winter spring autumn fall sommer herbst frühling fruehling january february march april june july august
september october november december monday tuesday wednesday thursday friday saturday sunday birthday christmas halloween
football fussball fußball soccer basketball baseball softball volleyball hockey tennis golfer skateboard snowboard
liverpool liverpoolfc youllneverwalkalone manchester manchesterunited manutd arsenal arsenalfc chelsea chelseafc everton
barcelona fcbarcelona realmadrid juventus bayern fcbayern borussia dortmund schalke galatasaray fenerbahce besiktas
yankees redsox lakers cowboys steelers packers eagles raiders broncos patriots michael michaeljordan jordan ronaldo
cristiano messi beckham superman batman spiderman ironman wolverine superstar starwars startrek skywalker lukeskywalker
darthvader matrix gandalf harrypotter hermione dumbledore lordoftherings pokemon pikachu naruto dragonball minecraft
fortnite counterstrike warcraft worldofwarcraft playstation nintendo supermario metallica nirvana slipknot ironmaiden
blinkoneeightytwo linkinpark eminem michaeljackson justinbieber onedirection taylorswift ladygaga mickeymouse
winniethepooh tinkerbell hellokitty spongebob dragon monkey tiger tigger panther elephant dolphin dolphins penguin
chicken kitten kitty doggy puppy snoopy garfield buster charlie shadow maggie ginger pepper peanut cookie cookies
chocolate strawberry cheesecake blueberry banana pineapple watermelon coffee mercedes ferrari porsche mustang corvette
chevrolet harley harleydavidson volkswagen computer internet samsung google facebook instagram microsoft windows linux
ubuntu android iphone apple macbook qwerty qwertz azerty asdf asdfgh asdfghjkl zxcvbn zxcvbnm qwer qwert qaz qazwsx abc
abcd abcde abcdef abcdefg abcdefgh london paris berlin hamburg muenchen münchen newyork losangeles chicago california
australia deutschland germany england america canada mexico brasil jesus jesuschrist jesusislord jesuslovesme jesussaves
blessed blessing godisgood godislove thankgod angel angels heaven faith freedom liberty printer printers printing
printfarm farm workshop filament prusa bambu bambulab creality octoprint klipper printyard
`

const wholes = new Set(whole.trim().split(/\s+/))
const bare = new Set(words.trim().split(/\s+/).map(squeeze))

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

/** Whether this is among what is tried first: a known password, a word with digits around it, a row of keys or one sign again. */
export function isCommonPassword(password: string): boolean {
  const text = lowered(password)
  return wholes.has(text) || bare.has(core(text)) || isRepetition(text) || isRow(text)
}

/**
 * Whether a password is nothing but one of these names, once or more, with digits and signs around it.
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

/** `aaaaaaaaaa`, `1212121212`, `abcabcabcab`. */
function isRepetition(text: string): boolean {
  return [1, 2, 3, 4].some((length) => text === text.slice(0, length).repeat(text.length).slice(0, text.length))
}

/** `abcdefghijkl`, `9876543210`: each character follows the one before. */
function isRow(text: string): boolean {
  const steps = new Set([...text].slice(1).map((character, index) => character.charCodeAt(0) - text.charCodeAt(index)))
  const [step = 0] = steps
  return steps.size === 1 && Math.abs(step) === 1
}
