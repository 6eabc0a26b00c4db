/** Length of a skeleton in the database. A decomposed name can be longer. */
export const MAX_SKELETON_LENGTH = 255;

/** Characters that a reader does not see, or that do not distinguish names. */
const IGNORED = /[\p{P}\p{Z}\p{C}\p{Mn}\p{Me}\p{S}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Letters and digits that look like ASCII text, by that text in lower case. They are the subset of
 * the confusables of UTS #39 (Unicode 15.0) that NFKD does not change, whose prototype or the
 * prototype of the other letter case is ASCII, and that are written from left to right. Four Hebrew
 * and Arabic letters are added, and the Latin letters with a stroke, hook or tail, turned letters
 * and small capitals. In the keys, `l` stands for `i` and `1`, `o` for `0`, and `rn` for `m`.
 */
const LOOKALIKES: Record<string, string> = {
  '2': 'ƧƨϨϩᒿꙄꙅꛯꝚꝛ',
  '3': 'ƷȜȝɜʒЗзӠӡⳌⳍꝪꝫꞫ𑢪𑣊𖼻',
  '4': 'Ꮞꮞ𑢯𑣏',
  '5': 'Ƽ𑢻𑣛',
  '6': 'БбᏮⳒⳓꮾ𑣕',
  '7': '𐓒𐓺𑣆',
  '8': 'Ȣȣ৪੪𐌚',
  '9': '৭੧୨൭ⳊⳋꝮꝯ𑢬𑢶𑣌𑣖',
  a: 'ɑΑαАаᎪᗅⱭꓮꭺ𐊠𖽀ȺɐᴀᶏⱥⱯ',
  b: 'ƄƅΒβВЬвьᏏᏴᏼᑲᖯᗷᲀꓐꞴꞵꮟ𐊂𐊡𐌁ƀƁƂƃɃɓʙᴃᵬᶀꞖꞗ',
  c: 'СсᏟᲃᴄⲤⲥꓚꮯ𐊢𐌂𐐕𐐽𐔜𑣩𑣲ƇƈȻȼɕꜾꜿꞒꞓꞔꟄ',
  d: 'ԀԁᎠᏧᑯᗞᗪꓒꓓꭰꮷĐđƊƋƌȡɖɗᴅᵭᶁᶑꝹꝺꟇꟈ',
  e: 'ΕεЕеҼҽᎬⴹꓰꬲꭼ𐊆𑢦𑢮𑣎ƎƐǝɆɇɘɛᴇᶒᶓⱸⱻꬳꬴ',
  f: 'ϜϝՔքᖴẝꓝꞘꞙꬵ𐊇𐊥𐔥𑢢𑣂ƑƒᵮᶂꜰꝻꝼ',
  g: 'ƍɡԌԍՑցᏀᏳᏻᶃꓖꞬꮐƓǤǥɠɢʛᵷᵹꝽꞠꞡꬶ',
  h: 'ΗηНнҺһՀհᎻᏂᕼⲎⲏꓧꮋꮒ𐋏ĦħɥɦʜʮʯⱧⱨꞍꞕꞪ',
  j: 'ʝͿϳЈјᎫᒍꓙꞲꭻȷɈɉɟʄᴊ',
  k: 'ΚκКкᏦᛕⲔⲕꓗꮶ𐔘ĸƘƙʞᴋᶄⱩⱪꝀꝁꝂꝃꝄꝅꞢꞣꞰ',
  l: 'ןاŁłıƖǀɩɪΙιІіӀӏ۱ᎥᏞᒪᛁⲒⲓⳐⳑⵏꓡꓲꙆꙇꞮꭵꮮ𐊊𐌉𐌠𐐛𐑃𐔦𑢣𑢲𑣃𑣒𖼖𖼨ƗƚȴȽɨɫɬɭʟᴉᴌᶅᶖⱠⱡⱢꝈꝉꞀꞁꞎꞭꬷꬸꬹ',
  n: 'ΝՈՌոռⲚⲛꓠ𐔓ƝƞȠȵɲɳɴᴎᵰᶇꞐꞑꞤꞥꬻ',
  o: 'ØøסهΟΣοσОоՕօ۵०০੦૦ଠ୦௦౦೦ഠ൦๐໐ဝ၀ჿዐᲂᲿᴏᴑⲞⲟⵔ〇ꓳꬽ𐊒𐊫𐐄𐐬𐓂𐓪𐔖𑓐𑢨𑢵𑢷𑣈𑣗𑣠ƆƟɔɵᴐᴓᶗⱺꝊꝋꝌꝍꬾꬿ',
  p: 'ΡρРрᏢᑭⲢⲣꓑꮲ𐊕ƤƥᴘᵱᵽᶈⱣꝐꝑꝒꝓꝔꝕ',
  q: 'ԚԛԳԶգզⵕɋʠꝖꝗꝘꝙꞯ',
  r: 'ƦʀГгᎡᎱᏒᖇᴦⲄⲅꓣꭇꭈꭱꮁꮢ𐒴𐓜𖼵ɌɍɹɺɻɼɽɾɿʁᴙᴚᵲᵳᶉⱤⱹꞂꞃꞦꞧꭅꭆꭉꭋꭌꭨ',
  s: 'ƽЅѕՏտᏕᏚꓢꜱꮥꮪ𐊖𐐠𐑈𑢡𑣁𖼺ȿʂᵴᶊⱾꞄꞅꞨꞩꟅꟉꟊ',
  t: 'ΤτТтᎢᲄᲅⲦⲧꓔꭲ𐊗𐊱𐌕𑢼𖼊ŦŧƫƬƭƮȶȾʇʈᴛᵵⱦꞆꞇꞱ',
  u: 'ƲʋυՍսሀᑌᴜꓴꞞꞟꭎꭒ𐓎𐓶𑢸𑣘𖽂ᴝᶙꞸꞹ',
  v: 'νѴѵ۷Ꮩᐯᴠⴸꓦꛟꮩ𐔝𑜆𑢠𑣀𖼈ɅʌⱱⱴꝞꝟ',
  w: 'ƜɯѠѡԜԝԱաᎳᏔᴡꓪꮃꮤ𑜊𑜎𑜏𑣦𑣯ʍⱲⱳ',
  x: 'ΧχХхᕁᕽᚷⲬⲭⵝꓫꞳꭓ𐊐𐊴𐌗𐌢𐔧𑣬ᶍꭖꭗꭘꭙ',
  y: 'ƔɣʏΓΥγУуҮүყᎩᎽᲧᶌỾỿⲨⲩꓬꭚꭹꮍ𐊲𑢤𑣜𖽃ƳƴɎɏʎ',
  z: 'ΖζᏃᴢꓜꮓ𐋵𑢩𑣄𑣉𑣥ƵƶȤȥɀʐʑᵶᶎⱫⱬⱿꟆ',
  aa: 'Ꜳꜳ',
  ae: 'ÆæӔӕ',
  ao: 'Ꜵꜵ',
  au: 'Ꜷꜷ',
  av: 'ꜸꜹꜺꜻ',
  ay: 'Ꜽꜽ',
  bl: 'Ыы',
  dz: 'ʣ',
  ll: 'ǁ',
  lo: 'Юю',
  ls: 'ʪ',
  lz: 'ʫ',
  oe: 'Œœ',
  oo: 'ꚘꚙꝎꝏ',
  rn: 'ΜμϺϻМмᎷᗰᛖⲘⲙꓟꮇ𐊰𐌑𑜀𑣣ɰɱᴍᵯᶆⱮꟺꬺ',
  t3: 'Ꜩꜩ',
  tf: 'ꝷ',
  ts: 'ʦ',
  ue: 'ᵫ',
  uo: 'ꭣ',
};

const ASCII_BY_LOOKALIKE = new Map(
  Object.entries(LOOKALIKES).flatMap(([ascii, lookalikes]) =>
    [...lookalikes].map((character): [string, string] => [character, ascii]),
  ),
);

/**
 * Returns the skeleton of a name (UTS #39 §4): two names that look alike have the same one. Letter
 * case, spaces, punctuation, symbols and combining marks do not count. `l`, `i` and `1` are the
 * same, and so are `m` and `rn`, and `w` and `vv`.
 */
export function computeNameSkeleton(name: string): string {
  // NFKD would turn a trademark sign into letters.
  const decomposed = name.replace(/[™℠]/g, '').normalize('NFKD');
  const folded = [...decomposed].map((character) => ASCII_BY_LOOKALIKE.get(character) ?? character.toLowerCase());
  const visible = folded.join('').replace(/\|/g, 'l').replace(IGNORED, '');
  const ascii = visible.replace(/[i1]/g, 'l').replace(/0/g, 'o').replace(/m/g, 'rn').replace(/w/g, 'vv');
  // A name of punctuation or symbols alone is its own skeleton.
  return (ascii || decomposed).slice(0, MAX_SKELETON_LENGTH);
}
