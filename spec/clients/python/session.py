"""Sends sessions with Python clients.

Reads sessions from standard input, one JSON text per line, sends each with the client that it names, and writes
the responses as one JSON text per line, up to the first error. Every session gets a new client.
"""

import json
import sys
import urllib.error
import urllib.request

import httpx
import requests
from requests.auth import HTTPBasicAuth, HTTPDigestAuth

JSON_TYPE = {"Content-Type": "application/json"}


def headers_of(request):
    return JSON_TYPE if "body" in request else {}


def with_urllib(session):
    passwords = urllib.request.HTTPPasswordMgrWithDefaultRealm()
    passwords.add_password(None, session["requests"][0]["url"], session["username"], session["password"])
    basic = session["challenge"] == "Basic"
    handler = urllib.request.HTTPBasicAuthHandler if basic else urllib.request.HTTPDigestAuthHandler
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), handler(passwords))

    def send(request):
        data = request["body"].encode() if "body" in request else None
        sent = urllib.request.Request(
            request["url"], data=data, headers=headers_of(request), method=request["method"]
        )
        try:
            with opener.open(sent) as answer:
                return {"status": answer.status, "body": answer.read().decode()}
        except urllib.error.HTTPError as error:
            return {"status": error.code, "body": str(error.read())}

    return send


def with_requests(session):
    client = requests.Session()
    client.trust_env = False
    auth = HTTPBasicAuth if session["challenge"] == "Basic" else HTTPDigestAuth
    client.auth = auth(session["username"], session["password"])

    def send(request):
        answer = client.request(
            request["method"], request["url"], data=request.get("body"), headers=headers_of(request)
        )
        return {"status": answer.status_code, "body": answer.text}

    return send


def with_httpx(session):
    auth = httpx.BasicAuth if session["challenge"] == "Basic" else httpx.DigestAuth
    client = httpx.Client(auth=auth(session["username"], session["password"]), trust_env=False)

    def send(request):
        answer = client.request(
            request["method"], request["url"], content=request.get("body"), headers=headers_of(request)
        )
        return {"status": answer.status_code, "body": answer.text}

    return send


CLIENTS = {"urllib": with_urllib, "requests": with_requests, "httpx": with_httpx}
VERSIONS = {
    "urllib": ".".join(str(part) for part in sys.version_info[:3]),
    "requests": requests.__version__,
    "httpx": httpx.__version__,
}


def answer_of(send, request):
    try:
        return send(request)
    except Exception as error:  # What a client throws is its answer.
        return {"status": 0, "body": "", "error": f"{type(error).__name__}: {error}"}


if sys.argv[1:] == ["--versions"]:
    print(json.dumps(VERSIONS))
    sys.exit()

for line in sys.stdin:
    asked = json.loads(line)
    sender = CLIENTS[asked["client"]](asked)
    answers = []
    for request in asked["requests"]:
        answers.append(answer_of(sender, request))
        if not 200 <= answers[-1]["status"] < 300:
            break
    print(json.dumps(answers), flush=True)
