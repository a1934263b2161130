"""Answers the questions on standard input by each accountant that can be imported; see side-by-side.js."""
import json
import math
import sys
import time


def by_prv(kind, value, rate, count, delta):
    import prv_accountant as prv

    loss = {
        "pure": lambda: prv.PureDPMechanism(value),
        "laplace": lambda: prv.LaplaceMechanism(mu=1 / value),
        "gaussian": lambda: prv.GaussianMechanism(noise_multiplier=value),
        "sampled": lambda: prv.PoissonSubsampledGaussianMechanism(sampling_probability=rate, noise_multiplier=value),
    }[kind]()
    accountant = prv.PRVAccountant(loss, max_self_compositions=count, eps_error=0.01, delta_error=delta / 1000)
    lower, _, upper = accountant.compute_epsilon(delta=delta, num_self_compositions=[count])
    return lower, upper


def dp_event(kind, value, rate):
    import dp_accounting as dp

    if kind == "pure":
        return dp.RandomizedResponseDpEvent(2 / (1 + math.exp(value)), 2)
    if kind == "laplace":
        return dp.LaplaceDpEvent(value)
    noise = dp.GaussianDpEvent(value)
    return noise if kind == "gaussian" else dp.PoissonSampledDpEvent(rate, noise)


def by_pld(kind, value, rate, count, delta):
    from dp_accounting.pld import PLDAccountant

    return None, PLDAccountant().compose(dp_event(kind, value, rate), count).get_epsilon(delta)


def by_rdp(kind, value, rate, count, delta):
    from dp_accounting.rdp import RdpAccountant

    return None, RdpAccountant().compose(dp_event(kind, value, rate), count).get_epsilon(delta)


PEERS = [("prv_accountant", by_prv, "prv_accountant"), ("PLD", by_pld, "dp_accounting"), ("RDP", by_rdp, "dp_accounting")]

questions = json.load(sys.stdin)
answers = []
for peer, ask, module in PEERS:
    try:
        __import__(module)
    except ImportError:
        continue
    for number, (kind, value, rate, count, delta) in enumerate(questions):
        begin = time.perf_counter()
        try:
            lower, upper = ask(kind, value, rate, count, delta)
        except Exception as error:  # what a peer does not answer is a line of the table
            answers.append({"number": number, "peer": peer, "module": module, "refused": f"{type(error).__name__}: {error}"})
            continue
        seconds = time.perf_counter() - begin
        lower = None if lower is None else float(lower)
        answer = {"number": number, "peer": peer, "module": module, "seconds": seconds}
        answers.append({**answer, "lower": lower, "upper": float(upper)})
json.dump(answers, sys.stdout)
