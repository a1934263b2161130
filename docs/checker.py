#!/usr/bin/env python3
"""Checks certificates of dpcompose: python3 checker.py FILE... exits 0 if every one holds, else 1.
Whole numbers only, no floats. An interval is a pair (lo, hi) of whole numbers over 2**S; every operation rounds outward.
Taken on trust: that each mechanism has the guarantee that is declared; of a filter, that its budget was fixed beforehand; and the theorems cited below.
"""
import decimal, json, re, sys
from fractions import Fraction as Fr
from math import comb, isqrt
BITS, COUNT, STATES, RANGES, DIGITS, TINY = 20000, 1000, 20000, 300, 2300, Fr(1, 10**600)  # limits on what a file may make this program do
S, ONE, ZERO, UNIT = 0, 0, (0, 0), (0, 0)
class Bad(Exception): pass
def need(holds, why):
    if not holds: raise Bad(why)
def precision(bits):
    global S, ONE, UNIT
    need(bits <= BITS, 'the numbers are too extreme'); S, ONE, UNIT = bits, 1 << bits, (1 << bits, 1 << bits)
# --- intervals
def rat(q): return ((q.numerator << S) // q.denominator, -((-q.numerator << S) // q.denominator))
def add(x, y): return (x[0] + y[0], x[1] + y[1])
def sub(x, y): return (x[0] - y[1], x[1] - y[0])
def cut(x): return (max(0, x[0]), max(0, x[1]))
def half(x, n=1): return (x[0] >> n, -(-x[1] >> n))
def times(n, x): return (n * x[0], n * x[1]) if n >= 0 else (n * x[1], n * x[0])
def per(x, n): return (x[0] // n, -(-x[1] // n))
def mul(x, y):
    if x[0] >= 0 and y[0] >= 0: return (x[0] * y[0] >> S, -(-x[1] * y[1] >> S))
    ends = [a * b for a in x for b in y]; return (min(ends) >> S, -(-max(ends) >> S))
def div(x, y):
    need(y[0] > 0, 'division by zero'); return ((x[0] << S) // y[1 if x[0] >= 0 else 0], -((-x[1] << S) // y[0 if x[1] >= 0 else 1]))
def root(x): return (isqrt(x[0] << S), isqrt(x[1] << S) + 1)
def rising(one): return lambda x: (one(x[0])[0], one(x[1])[1])  # of a function of numbers, that of intervals
def exp_of(v):                                          # the sum of r^n / n! with r = v / 2^j < 1/2, squared j times
    if v < 0: return div(UNIT, exp_of(-v)) if -v < S * ONE else (0, 1)
    need(v >> S < BITS, 'the numbers are too extreme')
    j = max(0, v.bit_length() - S + 10); r = half((v, v), j); t = s = UNIT; n = 0
    while t[1] > 1: n += 1; t = per(mul(t, r), n); s = add(s, t)
    s = add(s, (0, 2 * t[1] + 1))                       # what follows is below the last term
    for _ in range(j): s = mul(s, s)
    return s
exp = rising(exp_of)
def atanh(x):                                           # the sum of x^n / n over odd n, 0 <= x <= 1/2
    t, s, n, q = x, x, 1, mul(x, x)
    while t[1] > 1: n += 2; t = mul(t, q); s = add(s, per(t, n))
    return add(s, (0, 2 * t[1] + 1))
def log_of(v):                                          # v = m 2^n with 1 <= m < 2
    need(v > 0, 'logarithm'); n = v.bit_length() - S - 1; m = half((v, v), n) if n >= 0 else (v << -n, v << -n)
    return add(times(2 * n, atanh(rat(Fr(1, 3)))), times(2, atanh(div(sub(m, UNIT), add(m, UNIT)))))
log = rising(log_of)
def atan_of_inverse(k):                                 # alternating, so between partial sums
    t, s, n, sign = rat(Fr(1, k)), ZERO, 1, 1
    while t[1] > 1: s = add(s, times(sign, per(t, n))); t = per(t, k * k); n += 2; sign = -sign
    return (s[0] - t[1] - 1, s[1] + t[1] + 1)
def normal(z):                                          # Phi(z) = 1/2 + phi(z) (sum of z^n / n!! over odd n)
    pi = times(4, sub(times(4, atan_of_inverse(5)), atan_of_inverse(239)))
    def one(v):
        w = (abs(v), abs(v)); q = mul(w, w); t = s = w; n = 1
        while t[1] > 1 or n * ONE < 2 * q[1]: n += 2; t = per(mul(t, q), n); s = add(s, t)
        r = mul(add(s, (0, 2 * t[1] + 1)), div(exp(times(-1, half(q))), root(times(2, pi))))
        return add((ONE >> 1, ONE >> 1), r if v >= 0 else times(-1, r))
    return rising(one)(z)
# --- what is read: every number but a count is a text, a decimal or a quotient of whole numbers
NUMBER = re.compile(r'[0-9]{1,1100}(\.[0-9]{1,1100})?(e[+-]?[0-9]{1,3})?|[0-9]{1,1100}/[1-9][0-9]{0,1100}')
def number(text, least=Fr(0), most=Fr(10)**600):
    need(isinstance(text, str) and len(text) <= DIGITS and NUMBER.fullmatch(text), 'not a number: %.40r' % (text,))
    value = Fr(text); need(least <= value <= most, 'out of range: %.40s' % text); return value
KEYS = {'dp': 'epsilon delta', 'laplace': 'scale sensitivity', 'bounded-range': 'epsilon', 'gaussian': 'sigma sensitivity',
        'gdp': 'mu', 'zcdp': 'rho delta', 'rdp': 'orders'}
class Mechanism:                                        # n of them: e of (e, d)-DP, square of mu-GDP, rho of zCDP, orders of RDP
    def __init__(self, m):
        need(isinstance(m, dict) and m.get('type') in list(KEYS), 'unknown type of mechanism')
        self.type = t = m['type']; own = set(m) - {'type', 'kind', 'count'}
        need(len(m) == len(own) + 3 and own in (set(KEYS[t].split()), {'variance', 'sensitivity'} if t == 'gaussian' else None), 'wrong keys of ' + t)
        need(m['kind'] in ('noninteractive', 'interactive', 'continual'), 'unknown kind'); self.single = m['kind'] == 'noninteractive'
        need(type(m['count']) is int and 1 <= m['count'] <= 2**53, 'count'); self.n = m['count']
        self.d = number(m['delta'], most=1) if 'delta' in m else Fr(0); self.e = self.square = self.rho = self.orders = None; need(self.d < 1 and (t != 'zcdp' or self.single or not self.d), 'the deltas guarantee nothing')
        if t in ('dp', 'bounded-range', 'laplace'): self.e = number(m['epsilon']) if t != 'laplace' else number(m['sensitivity']) / number(m['scale'], TINY)
        if t == 'gaussian': self.square = number(m['sensitivity'])**2 / (number(m['variance'], TINY) if 'variance' in m else number(m['sigma'], TINY)**2)
        if t == 'gdp': self.square = number(m['mu'])**2
        if t == 'zcdp': self.rho = number(m['rho'])
        if t == 'rdp':
            need(isinstance(m['orders'], list) and 1 <= len(m['orders']) <= COUNT and all(isinstance(o, list) and len(o) == 2 for o in m['orders']), 'orders')
            self.orders = [(number(a), number(e)) for a, e in m['orders']]; need(all(a > 1 for a, _ in self.orders), 'an order is at most 1')
def total(ms): return sum(m.n * m.e for m in ms)
def only(ms, types, single=False): need(all(m.type in types.split() and (m.single or not single) for m in ms), 'the theorem does not cover these mechanisms')
def size(q): return max(0, q.denominator.bit_length() - q.numerator.bit_length()) if q else 0
def left(ms, D):                                        # D' with D = 1 - (1 - D') prod (1 - d_i): what D leaves where nothing fails
    need(sum(m.n * m.d.denominator.bit_length() for m in ms if m.d) <= 10 * BITS, 'the deltas have too many digits'); a = b = 1
    for m in ms: a *= (m.d.denominator - m.d.numerator)**m.n; b *= m.d.denominator**m.n
    p, q = D.denominator * a - (D.denominator - D.numerator) * b, D.denominator * a; return ((p << S) // q, -((-p << S) // q))
# --- theorems: each encloses the delta, apart from failures, that it proves at epsilon e; D is the delta that is claimed
def dp_optimal(ms, e, D, w):                            # Kairouz, Oh, Viswanath 2015, Thm 3.3; Murtagh, Vadhan 2016, Thm 1.5
    only(ms, 'dp laplace bounded-range'); kinds = {}; states = 1
    for m in ms: kinds[m.e] = kinds.get(m.e, 0) + m.n if m.e else 0
    kinds = sorted(((x, n) for x, n in kinds.items() if x), key=lambda kind: kind[1])
    need(sum(n for _, n in kinds) <= COUNT, 'too many mechanisms')
    for _, n in kinds[:-1]: states *= n + 1; need(states <= STATES, 'too many sums')
    bits = 200 + 2 * sum(n for _, n in kinds) + 3 * int(e + total(ms)) + 2 * size(D); need(states * bits <= 2000 * BITS, 'too many sums')
    precision(bits); big = exp(rat(e)); table = []
    if not kinds: return ZERO
    for x, n in kinds:                                  # P and Q of a times +x and n - a times -x
        p = div(exp(rat(x)), add(exp(rat(x)), UNIT)); q = div(UNIT, add(exp(rat(x)), UNIT)); pp, qq = [UNIT], [UNIT]
        for _ in range(n): pp.append(mul(pp[-1], p)); qq.append(mul(qq[-1], q))
        table.append([times(comb(n, a), mul(pp[a], qq[n - a])) for a in range(n + 1)])
    x, n = kinds[-1]; up, down = [ZERO] * (n + 2), [ZERO] * (n + 2)  # P and Q of at least a times +x, of the last kind
    for a in range(n, -1, -1): up[a] = add(up[a + 1], table[-1][a]); down[a] = add(down[a + 1], table[-1][n - a])
    d, stack = ZERO, [(0, Fr(0), UNIT, UNIT)]
    while stack:
        j, loss, P, Q = stack.pop()
        if j < len(kinds) - 1:
            for a in range(kinds[j][1] + 1):
                stack.append((j + 1, loss + (2 * a - kinds[j][1]) * kinds[j][0], mul(P, table[j][a]), mul(Q, table[j][kinds[j][1] - a])))
        else:                                           # from the least a on with loss + (2a - n) x > e, exactly
            a = max(0, min(n + 1, ((e - loss) / x + n) // 2 + 1)); d = add(d, sub(mul(P, up[a]), mul(big, mul(Q, down[a]))))
    return cut(d)
def gaussian(ms, e, D, w):                              # Balle, Wang 2018, Thm 8; Dong, Roth, Su 2022, Cor 3.3
    only(ms, 'gaussian gdp', True); square = sum(m.square * m.n for m in ms)
    if not square: precision(64); return ZERO
    precision(200 + 8 * int(e + square) + 3 * int(e * e / square) + 2 * size(D) + size(square)); need(S <= 8000, 'the numbers are too extreme'); u = root(rat(square)); q = div(rat(e), u)
    return cut(sub(normal(sub(half(u), q)), mul(exp(rat(e)), normal(sub(times(-1, half(u)), q)))))
def br_nonadaptive(ms, e, D, w):                        # Dong, Durfee, Rogers 2020, Thm 3: the largest F_l(t_l)
    only(ms, 'bounded-range', True); x = ms[0].e; need(x > 0 and all(m.e == x for m in ms), 'the parameters differ')
    k = sum(m.n for m in ms); need(k <= RANGES, 'too many')
    precision(200 + 2 * k + 3 * int(e + k * x) + 2 * size(D) + 2 * size(x)); need(k * S <= 550000, 'too many mechanisms'); X = exp(rat(x)); G, d = [UNIT], ZERO
    for _ in range(k): G.append(mul(G[-1], X))
    for l in range(k):
        t = (e + (l + 1) * x) / (k + 1)
        if t >= x: break
        p = div(sub(X, exp(rat(t))), sub(X, UNIT)); h = exp(rat(e - k * t)); pp, y, f, g = [UNIT], UNIT, ZERO, ZERO
        for _ in range(k): pp.append(mul(pp[-1], p))
        for i in range(l + 1): v = times(comb(k, i), mul(pp[k - i], y)); f = add(f, v); g = add(g, mul(v, G[i])); y = mul(y, sub(UNIT, p))
        d = tuple(map(max, d, sub(f, mul(h, g))))
    return d
def convert(n, e, D, w, divergence):                    # Canonne, Kamath, Steinke 2020, Cor 13, at one order
    need(set(w) == {'order'}, 'the witness is not an order'); a = number(w['order'], Fr(1), Fr(10)**17); need(a > 1 and size(a - 1) <= 100, 'order')
    precision(600 + 2 * size(D) + 4 * size(a - 1)); need(n * S * S <= 5 * 10**8, 'too many mechanisms'); R = divergence(a)
    return exp(add(mul(rat(a - 1), sub(R, rat(e))), sub(mul(rat(a), log(rat(1 - 1 / a))), log(rat(a - 1)))))
def renyi(m, a):                                        # the largest Renyi divergence of order a of a mechanism
    s = a - 1
    if m.type in ('gaussian', 'gdp'): return rat(m.square * a / 2)
    if m.type == 'zcdp': return rat(m.rho * a)
    if m.type == 'rdp': least = [e for b, e in m.orders if b >= a]; need(least, 'no guarantee at this order'); return rat(min(least))
    if not m.e: return ZERO
    if m.type == 'dp': v = log(div(add(UNIT, exp(rat(-(a + s) * m.e))), add(UNIT, exp(rat(-m.e)))))  # Mironov 2017, Prop 6, as is laplace
    elif m.type == 'laplace': v = log(add(rat(a / (a + s)), mul(rat(s / (a + s)), exp(rat(-(a + s) * m.e)))))
    else:                                               # Dong, Durfee, Rogers 2020, Thm 5, with its supremum in closed form
        c = exp(rat(-m.e)); k = div(sub(UNIT, exp(rat(-s * m.e))), sub(UNIT, c))
        v = sub(mul(rat(a), log(div(add(UNIT, mul(k, c)), rat(a)))), mul(rat(s), log(div(k, rat(s)))))
    return add(rat(m.e), div(v, rat(s)))
def rdp(ms, e, D, w): return convert(len(ms), e, D, w, lambda a: tuple(map(sum, zip(*(times(m.n, renyi(m, a)) for m in ms)))))  # Mironov 2017, Prop 1
def concentrated(m):                                    # rho of zCDP
    if m.type in ('zcdp', 'gaussian', 'gdp'): return rat(m.rho if m.type == 'zcdp' else m.square / 2)
    need(m.e is not None, 'the theorem does not cover these mechanisms')
    x, c = rat(m.e), exp(rat(-m.e))
    if not m.e: return ZERO
    if m.type == 'dp': return mul(x, div(sub(UNIT, c), add(UNIT, c)))  # e tanh(e/2)
    if m.type == 'laplace': return sub(add(x, c), UNIT)
    b = div(x, sub(UNIT, c)); return sub(sub(b, UNIT), log(b))  # Dong, Durfee, Rogers 2020, Lemma 3.4
def zcdp(ms, e, D, w): return convert(len(ms), e, D, w, lambda a: mul(rat(a), tuple(map(sum, zip(*(times(m.n, concentrated(m)) for m in ms))))))
def basic(ms, e, D, w):                                 # Dwork et al. 2006, Thm 1, exactly
    only(ms, 'dp laplace bounded-range'); precision(64); need(total(ms) <= e and sum(m.n * m.d for m in ms) <= D, 'the sums are larger than the claim')
THEOREMS = {'basic': basic, 'dp-optimal': dp_optimal, 'gaussian': gaussian, 'br-nonadaptive': br_nonadaptive, 'rdp': rdp, 'zcdp': zcdp}
def end(c, side, ms):
    u = c[side]
    need(isinstance(u, dict) and set(u) == {'theorem', 'epsilon', 'delta', 'witness'} and u['theorem'] in list(THEOREMS), 'wrong keys of ' + side)
    need(isinstance(u['witness'], dict) and (u['theorem'] in ('rdp', 'zcdp') or not u['witness']), 'wrong witness')
    e, D = number(u['epsilon']), number(u['delta'], most=1); need(size(D) <= 1100, 'delta is too small')
    if side == 'upper':
        need(u['theorem'] != 'br-nonadaptive' or c['adaptivity'] == 'nonadaptive' or sum(m.n for m in ms) == 1, 'the theorem holds nonadaptively only')
        need(c['adaptivity'] != 'filter' or u['theorem'] in ('basic', 'zcdp') and c['lower'] is None, 'no filter has this theorem')  # sums within a budget: Rogers et al. 2016; Haney et al. 2023, Thm 4.10
        d = THEOREMS[u['theorem']](ms, e, D, u['witness']); need(d is None or d[1] <= left(ms, D)[0], 'the upper end is not proved')
    else:                                               # no smaller claim holds for the whole class: the theorem is exact
        need(u['theorem'] in ('dp-optimal', 'gaussian', 'br-nonadaptive') and (u['theorem'] != 'dp-optimal' or all(m.type == 'dp' for m in ms)), 'the theorem has no lower end here')
        d = THEOREMS[u['theorem']](ms, e, D, {}); need(d[0] >= left(ms, D)[1], 'the lower end is not proved')
    return e, D
def check(c):
    need(isinstance(c, dict) and set(c) == {'certificate', 'adaptivity', 'mechanisms', 'upper', 'lower'} and c['certificate'] == 'dpcompose.certificate/1', 'not a certificate of this version')
    need(c['adaptivity'] in ('adaptive', 'nonadaptive', 'filter'), 'adaptivity'); need(isinstance(c['mechanisms'], list) and 1 <= len(c['mechanisms']) <= COUNT, 'mechanisms')
    ms = [Mechanism(m) for m in c['mechanisms']]; e, D = end(c, 'upper', ms)
    said = '%d mechanisms, %s, are together (%s, %s)-DP by %s' % (sum(m.n for m in ms), c['adaptivity'], show(e, True), show(D, True), c['upper']['theorem'])
    if c['adaptivity'] == 'filter': said += ', the budget; used ' + ('(%s, %s)' % (show(total(ms), True), show(sum(m.n * m.d for m in ms), True)) if c['upper']['theorem'] == 'basic' else 'rho <= ' + show(Fr(sum(m.n * concentrated(m)[1] for m in ms), ONE), True))
    if c['lower'] is None: return said
    f, F = end(c, 'lower', ms)                          # delta is strictly decreasing up to the largest loss
    if F == D and f <= e and (any(m.square for m in ms) or f <= total(m for m in ms if m.e)): return said + '; no epsilon below %s holds' % show(f, False)
    need(f == e and F <= D, 'the ends are not of one question'); return said + '; no delta below %s holds' % show(F, False)
def show(q, up):
    digits = decimal.Context(12, decimal.ROUND_CEILING if up else decimal.ROUND_FLOOR); return str(digits.divide(decimal.Decimal(q.numerator), decimal.Decimal(q.denominator)).normalize(digits))
def plain(pairs): need(len(pairs) == len(dict(pairs)), 'a key stands twice'); return dict(pairs)
def no_float(text): raise Bad('a number is no text: %.40s' % text)
def whole(text): need(len(text) <= 20, 'a number is no text: %.40s' % text); return int(text)
def main(files):
    code = 0
    for name in files:
        try:
            with open(name, 'rb') as file: text = file.read(10**6 + 1)
            need(len(text) <= 10**6, 'longer than a million bytes')
            print('holds: %s: %s' % (name, check(json.loads(text.decode(), object_pairs_hook=plain, parse_float=no_float, parse_constant=no_float, parse_int=whole))))
        except (Bad, ValueError, RecursionError, OSError) as why: code = 1; print('refused: %s: %s' % (name, why))
    return code
if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]) if sys.argv[1:] else __doc__)
